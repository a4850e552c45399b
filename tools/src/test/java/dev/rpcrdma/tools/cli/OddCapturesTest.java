// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.verbs.capture.Capture;
import dev.rpcrdma.verbs.capture.CapturedStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The exit status of {@code decode}, on captures as they are met. */
@DisplayName("rpcrdma decode: odd captures")
final class OddCapturesTest {

  private static final Path RECORDED = Path.of("src", "test", "resources", "gss");
  private static final Path CAPTURES = Path.of("..", "provider-siw", "src", "test", "resources", "captures");
  private static final int FIN = 0x11;
  private static final int SYN = 0x02;
  private static final int SYN_ACK = 0x12;
  private static final int ACK = 0x10;
  /** A fault, if anybody looks at it. */
  private static final byte[] BAD_REQUEST = "MPA ID Req Frame\0\1\0\0and more".getBytes(StandardCharsets.ISO_8859_1);

  @TempDir
  Path directory;
  private final Commands commands = new Commands();
  private final List<byte[]> frames = new ArrayList<>();

  private void frame(boolean up, int sequence, int flags, byte... payload) {
    ByteBuffer out = ByteBuffer.allocate(40 + payload.length);
    out.putInt(0x45000000 | out.capacity()).putInt(0x4000).put((byte) 64).put((byte) 6).putShort((short) 0);
    out.putInt(up ? 0x0A000001 : 0x0A000002).putInt(up ? 0x0A000002 : 0x0A000001);
    out.putShort((short) (up ? 1000 : 2049)).putShort((short) (up ? 2049 : 1000));
    out.putInt(sequence).putInt(0).put((byte) 0x50).put((byte) flags).putShort((short) -1).putInt(0).put(payload);
    frames.add(out.array());
  }

  private void up(int sequence, int flags, byte... payload) {
    frame(true, sequence, flags, payload);
  }

  private void down(int sequence, int flags, byte... payload) {
    frame(false, sequence, flags, payload);
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private int decode(String... options) throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN).putInt(0xA1B2C3D4).putShort((short) 2)
        .putShort((short) 4).putLong(0).putInt(1 << 18).putInt(101).array());
    for (byte[] each : frames) {
      file.writeBytes(ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN).putLong(0).putInt(each.length)
          .putInt(each.length).array());
      file.writeBytes(each);
    }
    return decode(Files.write(directory.resolve("odd.pcap"), file.toByteArray()), options);
  }

  private int decode(Path file, String... options) {
    String[] ordered = new String[options.length + 2];
    ordered[0] = "decode";
    System.arraycopy(options, 0, ordered, 1, options.length);
    ordered[ordered.length - 1] = file.toString();
    return commands.run(ordered);
  }

  private String said() {
    return commands.out() + commands.err();
  }

  @Test
  @DisplayName("A connection that was open before the capture, and was idle: a keep-alive, its answer, and data")
  void keepAliveFirst() throws IOException {
    up(999, ACK);
    down(5000, ACK);
    up(1000, ACK, text("SSH data"));
    down(5000, ACK, text("more"));
    assertThat(decode()).as(said()).isZero();
  }

  @Test
  @DisplayName("A connection that was open before the capture: a keep-alive, its answer, and the end")
  void keepAliveThenEnd() throws IOException {
    up(999, ACK);
    down(5000, ACK);
    up(1000, FIN);
    down(5000, FIN);
    assertThat(decode()).as(said()).isZero();
  }

  @Test
  @DisplayName("A stream of another protocol, known by its first bytes, whose answer was not captured whole")
  void answerOfAnotherProtocolLost() throws IOException {
    up(100, SYN);
    down(500, SYN_ACK);
    up(101, ACK, text("GET / HTTP/1.1\r\n\r\n"));
    down(1949, ACK, text("the second segment of the answer"));
    assertThat(decode()).as(said()).isZero();
  }

  @Test
  @DisplayName("Ports that are used again, without the SYN: the stream is said, and the status is 1")
  void reusedWithoutSyn() throws IOException {
    up(100, SYN);
    down(500, SYN_ACK);
    up(101, FIN);
    down(501, FIN);
    up(102, ACK);
    down(9000, SYN_ACK);
    up(7001, ACK, BAD_REQUEST);
    assertThat(decode()).as(said()).isEqualTo(1);
  }

  /** Fails if {@code CaptureFollower.joined} or {@code TcpAssembler.open} does not tell of an open connection. */
  @Test
  @DisplayName("RPC over TCP that was open before the capture, which begins within a reply: not judged, and status 3")
  void beginsWithinReply() throws IOException {
    byte[] call = ByteBuffer.allocate(44).putInt(0x80000000 | 40).putInt(1).putInt(0).putInt(2).array();
    String keys = RECORDED.resolve("ours.keytab").toString();
    up(101, ACK, call);
    down(501, ACK, text("the rest of a large reply"));
    up(145, ACK, call);
    assertThat(decode("--keytab", keys, "--quiet")).as(said()).isEqualTo(3);
    assertThat(said()).contains("       2   1 < NOT JUDGED: the connection was open before the capture").doesNotContain(
        "NOT WELL FORMED").contains("1 not judged");
    frames.clear();
    up(100, SYN);
    down(500, SYN_ACK);
    up(101, ACK, call);
    down(501, ACK, text("no reply from its beginning"));
    assertThat(decode("--keytab", keys)).as(said()).isEqualTo(1);
    assertThat(said()).contains("NOT WELL FORMED");
  }

  @Test
  @DisplayName("An iWARP stream is forgotten since thousands of others have come and gone")
  void endedOthers() throws IOException {
    Path file = directory.resolve("many.pcapng");
    byte[] request = text("MPA ID Req Frame\0\1\0\0");
    try (Capture capture = Capture.open(file)) {
      CapturedStream stream = capture.stream(true, new InetSocketAddress("10.0.0.1", 60_000),
          new InetSocketAddress("10.0.0.2", 20_049));
      stream.sent(ByteBuffer.wrap(request));
      for (int port = 1; port <= 4096; port++) {
        CapturedStream other = capture.stream(true, new InetSocketAddress("10.0.0.1", port),
            new InetSocketAddress("10.0.0.2", 80));
        other.sent(ByteBuffer.wrap(text("GET / HTTP/1.1\r\n\r\n")));
        other.close();
      }
      stream.close();
    }
    assertThat(decode(file, "--quiet")).as(commands.err()).isZero();
  }

  private static List<byte[]> records(Path pcap) throws IOException {
    ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(pcap)).order(ByteOrder.LITTLE_ENDIAN);
    List<byte[]> all = new ArrayList<>();
    byte[] head = new byte[24];
    file.get(head);
    all.add(head);
    while (file.hasRemaining()) {
      byte[] frame = new byte[16 + file.getInt(file.position() + 8)];
      file.get(frame);
      all.add(frame);
    }
    return all;
  }

  private Path write(List<byte[]> records) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    records.forEach(out::writeBytes);
    return Files.write(directory.resolve("changed.pcap"), out.toByteArray());
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "7", "50"})
  @DisplayName("Each frame captured twice, by two interfaces, in batches: nothing is wrong")
  void twice(int batch) throws IOException {
    List<byte[]> once = records(RECORDED.resolve("nfs3-krb5i.pcap"));
    List<byte[]> twice = new ArrayList<>(once.subList(0, 1));
    for (int from = 1; from < once.size(); from += batch) {
      List<byte[]> part = once.subList(from, Math.min(once.size(), from + batch));
      twice.addAll(part);
      twice.addAll(part);
    }
    assertThat(decode(write(twice), "--quiet", "--keytab", RECORDED.resolve("nfs-6.1.keytab").toString()))
        .as(said()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"3, 1", "4, 1", "5, 3", "200, 3"})
  @DisplayName("The procedure of a reply's transport header is changed: it is wrong, or was not judged")
  void changedProcedure(int procedure, int status) throws IOException {
    List<byte[]> records = records(RECORDED.resolve("nfs3-krb5i.pcap"));
    records.get(47)[16 + 66 + 35] = (byte) procedure;
    assertThat(decode(write(records), "--quiet", "--keytab", RECORDED.resolve("nfs-6.1.keytab").toString()))
        .as(said()).isEqualTo(status);
  }

  @Test
  @DisplayName("Captures of the recorded kinds, cut short by a frame length of 100 bytes, are not all right")
  void snapLength() throws IOException {
    List<byte[]> records = records(CAPTURES.resolve("rping-crc.pcap"));
    for (int i = 1; i < records.size(); i++) {
      byte[] record = records.get(i);
      int kept = Math.min(100, record.length - 16);
      byte[] cut = Arrays.copyOf(record, 16 + kept);
      ByteBuffer.wrap(cut).order(ByteOrder.LITTLE_ENDIAN).putInt(8, kept);
      records.set(i, cut);
    }
    assertThat(decode(write(records))).as(said()).isEqualTo(1);
  }

  @Test
  @DisplayName("A stream without its first bytes in both directions is one stream")
  void bothDirectionsHeadless() throws IOException {
    up(100, SYN);
    down(500, SYN_ACK);
    up(201, ACK, text("later"));
    down(601, ACK, text("later"));
    assertThat(decode()).isEqualTo(1);
    assertThat(commands.err()).startsWith("rpcrdma: A stream has no beginning");
  }

  @Test
  @DisplayName("A client that was started anew, and whose SYN is first answered by an ACK of its old connection")
  void challengeAck() throws IOException {
    up(7000, SYN);
    down(501, ACK);
    up(104, 0x04);
    up(7000, SYN);
    down(9000, SYN_ACK);
    up(7001, ACK, text("MPA ID Req Frame\0\1\0\0"));
    down(9001, ACK, text("MPA ID Rep Frame\0\1\0\0"));
    up(7021, FIN);
    down(9021, FIN);
    assertThat(decode()).as(said()).isZero();
  }
}
