// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.kerberos.gss.GssCredential;
import dev.rpcrdma.kerberos.gss.GssProcedure;
import dev.rpcrdma.kerberos.gss.GssService;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.verbs.capture.Capture;
import dev.rpcrdma.verbs.capture.CapturedStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code ./rpcrdma decode --keytab}, on mounts of Linux by Kerberos, as recorded and with something changed. */
@DisplayName("rpcrdma decode --keytab")
final class DecodeKeytabTest {

  private static final Path RECORDED = Path.of("src", "test", "resources", "gss");
  /** Of a frame with a Send: where its sequence number of DDP is, within the payload of TCP. */
  private static final int SEND_NUMBER = 12;

  @TempDir
  private Path directory;
  private final Commands commands = new Commands();

  private int decode(Path capture, String keytab, String... options) {
    String[] arguments = Arrays.copyOf(new String[] {"decode", "--keytab", RECORDED.resolve(keytab).toString(),
        capture.toString()}, 4 + options.length);
    System.arraycopy(options, 0, arguments, 4, options.length);
    return commands.run(arguments);
  }

  private static Path recorded(String name) {
    return RECORDED.resolve(name + ".pcap");
  }

  private int decodeChanged(String name, String keytab, FrameChanger changer) throws IOException {
    return decode(changer.write(directory.resolve(name + ".pcap")), keytab);
  }

  /** Fails if a context over TCP is not found by calls over RDMA, or if a chunk is not put together. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "nfs3-krb5 | nfs-6.1.keytab | 27 calls (27 krb5) and 27 replies (27 krb5), opened 0 bodies",
      "nfs3-krb5i | nfs-6.1.keytab | 25 calls (25 krb5i) and 25 replies (25 krb5i), opened 48 bodies (48 krb5i)",
      "nfs3-krb5p | nfs-6.12.keytab | 24 calls (24 krb5p) and 24 replies (24 krb5p), opened 46 bodies (46 krb5p)"})
  @DisplayName("R-331 R-332 R-333 R-336: all of a mount of Linux verifies")
  void verifies(String name, String keytab, String found) {
    assertThat(decode(recorded(name), keytab)).as(commands.err()).isZero();
    assertThat(commands.out()).doesNotContain("WRONG", "NOT WELL FORMED", "NOT OPENED", "malformed")
        .contains("RPCSEC_GSS INIT: nfs/nfs.lab.test@LAB.TEST calls nfs/nfs.lab.test@LAB.TEST")
        .containsPattern("RPCSEC_GSS " + name.substring(5) + ", context 1 \\(handle 0.000000\\) of nfs/nfs.lab.test@LAB"
            + ".TEST, number 1: head and number good")
        .endsWith("1 streams of RPC over TCP; RPCSEC_GSS: 1 contexts opened, 0 not; verified " + found
            + "; 0 refused, 0 not judged, 0 wrong\n");
  }

  /** Fails if {@code ChunkedMessages} does not take metadata off, from what is in Sends and what is in chunks. */
  @Test
  @DisplayName("R-331 R-332 R-333 C-26: what our clients and servers have said by JGSS, with contexts made over RDMA")
  void ours() {
    assertThat(decode(RECORDED.resolve("ours.pcapng"), "ours.keytab", "--quiet")).as(commands.err()).isZero();
    assertThat(commands.out()).endsWith("3 contexts opened, 0 not; verified 39 calls (13 krb5, 13 krb5i, 13 krb5p) and "
        + "39 replies (13 krb5, 13 krb5i, 13 krb5p), opened 48 bodies (24 krb5i, 24 krb5p); 0 refused, 0 not judged, "
        + "0 wrong\n");
  }

  /** Fails if the head of a message that comes by chunks is not shown, or keys are. */
  @Test
  @DisplayName("R-332 R-333: what is inside of Long calls and Reply chunks is told, keys are not")
  void inside() throws IOException {
    assertThat(decode(recorded("nfs3-krb5i"), "nfs-6.1.keytab")).isZero();
    assertThat(commands.out())
        .containsPattern(" 316 +1 > [^\n]*\n +RPC call, XID 0x3cd693fd, program 100003 \\(0x000186a3\\), version 3, "
            + "procedure 7, credential of flavor 6\n +RPCSEC_GSS krb5i, .*number 18: head and number good, body good, "
            + "100044 bytes\n")
        .containsPattern("RPC reply, XID .*\n +RPCSEC_GSS krb5i, .*: verifier good, body good, 100104 bytes\n")
        .contains(", DESTROY: ").contains("client: a key of encryption type 18, server: a key of encryption type 18")
        .doesNotContain("399c4a57", "36a6d9a8", "b2167bcc");
    Commands quiet = new Commands();
    assertThat(quiet.run("decode", "--quiet", "--keytab", RECORDED.resolve("nfs-6.1.keytab").toString(),
        recorded("nfs3-krb5i").toString())).isZero();
    assertThat(quiet.out().lines()).hasSize(6);
  }

  /**
   * Fails if a proof is not asked for, which is that of a head ({@code ProtectedMessages.call}), of a reply ({@code
   * hasSigned}), or of a body; or if another frame is named than that with which the message is complete.
   */
  @ParameterizedTest(name = "{6}")
  @CsvSource({
      "nfs3-krb5i, nfs-6.1, 45, 71, 45, not the MIC of its head, procedure of a call",
      "nfs3-krb5i, nfs-6.1, 45, 120, 45, not the MIC of its head, MIC of a head",
      "nfs3-krb5i, nfs-6.1, 45, 91, 45, not the MIC of its head, sequence number of a credential",
      "nfs3-krb5i, nfs-6.1, 45, 59, 45, it is of RPC version 3, RPC version of a call",
      "nfs3-krb5i, nfs-6.1, 47, 55, 47, it is of RPC version 0, message type of a reply",
      "nfs3-krb5i, nfs-6.1, 45, 23, 45, its XID is not that of its transport header, XID of a transport header",
      "nfs3-krb5i, nfs-6.1, 47, 27, 47, it is no RPC-over-RDMA of version 1, version of a transport header",
      "nfs3-krb5i, nfs-6.1, 47, 35, 47, no chunk of its XID has its RPC message, procedure of a transport header",
      "nfs3-krb5i, nfs-6.1, 47, 39, 47, its chunk lists are malformed, chunk lists of a reply",
      "nfs3-krb5i, nfs-6.1, 581, 23, 581, no chunk of its XID has its RPC message, XID of a reply in a chunk",
      "nfs3-krb5, nfs-6.1, 24, 120, 24, not the MIC of its head, MIC of a head with krb5",
      "nfs3-krb5p, nfs-6.12, 45, 130, 45, not the MIC of its head, MIC of a head with krb5p",
      "nfs3-krb5i, nfs-6.1, 45, 150, 45, has not signed this body, body of a call",
      "nfs3-krb5i, nfs-6.1, 45, 147, 45, has not signed this body, sequence number of a body",
      "nfs3-krb5i, nfs-6.1, 47, 75, 47, not the MIC of its call's sequence number, verifier of a reply",
      "nfs3-krb5, nfs-6.1, 25, 75, 25, not the MIC of its call's sequence number, verifier of a reply with krb5",
      "nfs3-krb5i, nfs-6.1, 47, 130, 47, has not signed this body, body of a reply",
      "nfs3-krb5p, nfs-6.12, 45, 200, 45, has not encrypted this body, encrypted body of a call",
      "nfs3-krb5p, nfs-6.12, 47, 160, 47, has not encrypted this body, encrypted body of a reply",
      "nfs3-krb5i, nfs-6.1, 36, 40, 36, not the MIC of the window, verifier of a new context",
      "nfs3-krb5i, nfs-6.1, 36, -1, 36, It was changed, token of a server",
      "nfs3-krb5i, nfs-6.1, 34, -5, 34, It was changed, authenticator of a client"})
  @DisplayName("A changed bit is found, and the command fails with the frame's number")
  void changed(String name, String keytab, int frame, int at, int named, String text, String what) throws IOException {
    assertThat(decodeChanged(name, keytab + ".keytab", new FrameChanger(recorded(name)).flip(frame, at)))
        .as(what).isEqualTo(1);
    assertThat(commands.out()).contains("WRONG: ").contains(text);
    assertThat(commands.err()).contains("rpcrdma: ").contains("frame " + named + ": ").contains(text);
  }

  /** Fails if the data of Read Responses or Writes is not looked at. */
  @ParameterizedTest
  @CsvSource({"nfs3-krb5i, nfs-6.1, 109, 'frame 316, announced by frame 97: its body'",
      "nfs3-krb5i, nfs-6.1, 329, 'frame 581: its body'"})
  @DisplayName("R-332 R-333: so is one in a Position-Zero Read chunk, and in a Reply chunk")
  void changedInChunks(String name, String keytab, int frame, String named) throws IOException {
    assertThat(decodeChanged(name, keytab + ".keytab", new FrameChanger(recorded(name)).flip(frame, 150))).isEqualTo(1);
    assertThat(commands.err()).startsWith("rpcrdma: A message is wrong: stream 1, " + named);
  }

  /** Fails if {@code SequenceWindow.take} is not asked. */
  @Test
  @DisplayName("A call that comes once more is found by its sequence number, in the frame of the copy")
  void replayed() throws IOException {
    FrameChanger changer = new FrameChanger(recorded("nfs3-krb5i"));
    int next = changer.number(593, SEND_NUMBER) + 1;
    changer.cut(595).again(583, 593, SEND_NUMBER, ByteBuffer.allocate(4).putInt(next).array());
    assertThat(decodeChanged("replayed", "nfs-6.1.keytab", changer)).isEqualTo(1);
    assertThat(commands.err()).startsWith("rpcrdma: A message is wrong: stream 1, frame 595: its sequence number was "
        + "there before");
  }

  /** Fails if a context that is not opened is passed over, or counts as what is wrong. */
  @Test
  @DisplayName("A keytab without the key, a ticket that was changed, a context from before: said, and status 3")
  void notOpened() throws IOException {
    assertThat(decode(recorded("nfs3-krb5p"), "nfs-6.1.keytab", "--quiet")).isEqualTo(3);
    assertThat(commands.out()).contains("context 1 (handle 01000000) is NOT OPENED: no key in the keytab opens the "
        + "ticket for nfs/nfs.lab.test@LAB.TEST (encryption type 18, key version")
        .endsWith("0 contexts opened, 1 not; verified 0 calls and 0 replies, opened 0 bodies; 0 refused, "
            + "48 not judged, 0 wrong\n");
    assertThat(commands.err()).isEmpty();
    assertThat(decodeChanged("ticket", "nfs-6.1.keytab", new FrameChanger(recorded("nfs3-krb5i")).flip(34, 400)))
        .isEqualTo(3);
    FrameChanger before = new FrameChanger(recorded("nfs3-krb5i")).lose(21).lose(23).lose(34);
    assertThat(decodeChanged("before", "nfs-6.1.keytab", before)).as(commands.err()).isEqualTo(3);
    assertThat(commands.out()).contains("context 1 (handle 01000000) is NOT OPENED: its INIT is not in the capture");
    assertThat(commands.err()).isEmpty();
  }

  /** Fails if {@code CaptureFollower.unfollowed} leaves the calls that were forgotten to status 0 or 3. */
  @Test
  @DisplayName("A reply to a call that was forgotten behind 65,536 others is named, and status 1")
  void forgottenCall() throws IOException {
    Path file = directory.resolve("calls.pcapng");
    try (Capture capture = Capture.open(file)) {
      CapturedStream stream = capture.stream(true, new InetSocketAddress("10.0.0.1", 1),
          new InetSocketAddress("10.0.0.2", 2049));
      for (int xid = 1; xid <= (1 << 16) + 1; xid++) {
        XdrWriter call = new XdrWriter();
        new CallHeader(xid, 2, 5, 1, 0, new GssCredential(GssProcedure.CONTINUE_INIT, 0, GssService.NONE,
            new byte[] {1}).encode(), OpaqueAuth.NONE).encode(call);
        stream.sent(record(call.opaque(new byte[4])));
      }
      XdrWriter reply = new XdrWriter();
      new ReplyHeader.Accepted(1, OpaqueAuth.NONE, AcceptStatus.SUCCESS, 0, 0).encode(reply);
      stream.received(record(reply));
    }
    assertThat(decode(file, "nfs-6.1.keytab", "--quiet")).isEqualTo(1);
    assertThat(commands.err()).startsWith("rpcrdma: A message could not be followed: stream 1, frame ")
        .endsWith(": its call may be one that was forgotten, as too many had no reply\n");
    assertThat(commands.out()).contains("NOT FOLLOWED: its call");
  }

  private static ByteBuffer record(XdrWriter message) {
    byte[] bytes = message.toByteArray();
    return ByteBuffer.allocate(4 + bytes.length).putInt(0x8000_0000 | bytes.length).put(bytes).flip();
  }

  /** Fails if {@code CaptureFollower.gap} passes over a stream that looks like another protocol. */
  @Test
  @DisplayName("A capture without the MPA Request ends with status 1, and names the frame behind it")
  void withoutRequest() throws IOException {
    assertThat(decodeChanged("headless", "nfs-6.1.keytab", new FrameChanger(recorded("nfs3-krb5i")).lose(4)))
        .isEqualTo(1);
    assertThat(commands.err()).matches("rpcrdma: A stream has no beginning in the capture, so that the protocol is not "
        + "known: stream 1, frame \\d+\n");
  }

  /** Fails if a keytab is read after the capture, or its failure is another one than a line. */
  @Test
  @DisplayName("A keytab that is truncated, none, or missing")
  void keytabs() throws IOException {
    byte[] keytab = Files.readAllBytes(RECORDED.resolve("nfs-6.1.keytab"));
    Path cut = Files.write(directory.resolve("cut.keytab"), Arrays.copyOf(keytab, 100));
    assertThat(decode(recorded("nfs3-krb5i"), cut.toAbsolutePath().toString())).isEqualTo(1);
    assertThat(commands.err())
        .isEqualTo("rpcrdma: The keytab is truncated: the entry at byte 86 goes beyond its end\n");
    assertThat(decode(recorded("nfs3-krb5i"), "nfs3-krb5.pcap")).isEqualTo(1);
    assertThat(commands.err()).contains("no keytab of the format 0x0502");
    assertThat(decode(recorded("nfs3-krb5i"), "missing")).isEqualTo(1);
    assertThat(commands.err()).contains("No such file");
    assertThat(commands.out()).isEmpty();
  }

  /** Fails if streams of TCP are read for who has no keys. */
  @Test
  @DisplayName("Without a keytab nothing is judged, and RPC over TCP is skipped")
  void withoutKeytab() {
    assertThat(commands.run("decode", recorded("nfs3-krb5i").toString())).isZero();
    assertThat(commands.out()).doesNotContain("RPCSEC_GSS").contains("1 iWARP streams, 3 others skipped")
        .contains("10.0.2.15:2049 skipped: not iWARP");
  }

  /** Fails if a stranger's bytes make anything but a failure that is told in a line. */
  @Test
  @DisplayName("Captures that are changed at random end with a status, and a line if they fail")
  void atRandom() throws IOException {
    for (int seed = 0; seed < 60; seed++) {
      FrameChanger changer = new FrameChanger(recorded("nfs3-krb5i")).flipAtRandom(seed, 1 + seed % 20);
      Commands each = new Commands();
      int status = each.run("decode", "--quiet", "--keytab", RECORDED.resolve("nfs-6.1.keytab").toString(),
          changer.write(directory.resolve("random.pcap")).toString());
      assertThat(status).as("seed %d", seed).isIn(0, 1, 3);
      assertThat(each.err()).as("seed %d", seed).matches(status == 1 ? "(?s)rpcrdma: [^\n]+\n" : "")
          .doesNotContain("Exception");
    }
  }
}
