// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.lab.NeedsTshark;
import dev.rpcrdma.testkit.lab.Tshark;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a capture shows is judged by tshark. */
@DisplayName("siw: captures")
@Tag("large")
final class CaptureTest {

  /** Of nfs3.pcap: the third byte of the length of the credential in the first call. */
  private static final int CREDENTIAL_BYTE = 838;
  /** Of nfs3.pcap: the third byte of the length of the handle in the first GETATTR. */
  private static final int HANDLE_BYTE = 2042;
  /** Of rping-crc.pcap: within the payload of the first Read Response. */
  private static final int PAYLOAD_BYTE = 2000;

  @TempDir
  Path directory;

  @Test
  @NeedsTshark
  @DisplayName("tshark decodes a session with all messages, and finds each CRC good")
  void tsharkDecodes() {
    Path file = directory.resolve("session.pcapng");
    capturedSession(file);

    // The Sends carry no RPC, and tshark guesses that they might.
    Tshark.judge(file, "--disable-protocol", "rpcordma");
    String text = Tshark.run("--disable-protocol", "rpcordma", "-V", "-r", file.toString());
    assertThat(text).doesNotContainIgnoringCase("malformed").contains("Private data");
    assertThat(count(text, "Good CRC32")).isGreaterThan(6);
    assertThat(Tshark.run("-o", "tcp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE",
        "-r", file.toString(), "-Y", "tcp.checksum.status != 1 || ip.checksum.status != 1 || "
            + "tcp.analysis.flags")).isEmpty();
    for (int opcode : new int[] {0, 1, 2, 3, 4, 7}) {
      assertThat(Tshark.count(file, "iwarp_rdma.opcode == " + opcode)).isPositive();
    }
  }

  @ParameterizedTest
  @NeedsTshark
  @ValueSource(strings = {"rping", "rping-crc", "rping-p2p", "rpingterm", "nfs3", "nfs41"})
  @DisplayName("What kernels have recorded is sound, but for NFS replies with Write chunks")
  void kernels(String name) throws IOException {
    Path file = Files.write(directory.resolve(name), recorded(name));
    Tshark.judge(file);
    assertThat(Tshark.count(file, "_ws.malformed")).isEqualTo(name.startsWith("nfs") ? 3 : 0);
  }

  @Test
  @NeedsTshark
  @DisplayName("An RPC and an NFS call that say they are longer than they are, and a wrong CRC, are found")
  void unsound() throws IOException {
    assertRefused("nfs3", CREDENTIAL_BYTE, "Malformed Packet: RPC");
    assertRefused("nfs3", HANDLE_BYTE, "Malformed Packet: NFS");
    assertRefused("rping-crc", PAYLOAD_BYTE, "Bad CRC");
  }

  private void assertRefused(String name, int at, String why) throws IOException {
    byte[] bytes = recorded(name);
    bytes[at] ^= 0x7F;
    Path damaged = Files.write(directory.resolve(name + at), bytes);
    assertThatThrownBy(() -> Tshark.judge(damaged)).isInstanceOf(AssertionError.class)
        .hasMessageContaining(why);
  }

  private static byte[] recorded(String name) throws IOException {
    try (InputStream in = CaptureTest.class.getResourceAsStream("/captures/" + name + ".pcap")) {
      return in.readAllBytes();
    }
  }

  /** A connection with each kind of message, ended by an error. */
  private static void capturedSession(Path file) {
    try (VerbsBed bed = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT.withCapture(file))) {
      Peer server = bed.server();
      server.receive(1, 8);
      server.receive(2, 8);
      VerbsBed.Pair pair = bed.connect(bed.client(),
          ConnectionOptions.DEFAULT.withPrivateData(Buffer.buffer("capture")), server,
          ConnectionOptions.DEFAULT);
      byte[] data = new byte[100_003];
      new Random(7).nextBytes(data);
      LocalMemory target = server.memory(data);
      Exposure writable = server.expose(target, Access.REMOTE_WRITE);
      Exposure readable = server.expose(target, Access.REMOTE_READ);
      LocalMemory source = pair.client().memory(data);
      pair.client().post(client -> {
        client.postWrite(1, source, 0, data.length, writable.steeringTag(),
            writable.remoteOffset());
        client.postSend(2, source, 0, 5);
        client.postRead(3, source, 0, data.length, readable.steeringTag(),
            readable.remoteOffset());
        client.postSendWithInvalidate(4, source, 0, 8, writable.steeringTag());
      });
      pair.client().handler().completion(Opcode.READ);
      server.handler().completion(Opcode.RECEIVE);
      server.handler().completion(Opcode.RECEIVE);
      pair.client().post(client -> client.postWrite(5, source, 0, 9, writable.steeringTag(),
          writable.remoteOffset()));
      pair.awaitDisconnected();
    }
  }

  @Test
  @DisplayName("A capture file that cannot be written is refused when the device is opened")
  void unwritable() {
    Vertx vertx = Vertx.vertx();
    try {
      assertThatThrownBy(() -> new SiwProvider().open(vertx,
          DeviceOptions.DEFAULT.withCapture(directory.resolve("missing").resolve("f.pcapng"))))
          .isInstanceOf(VerbsException.class).hasMessageContaining("f.pcapng")
          .extracting(e -> ((VerbsException) e).kind())
          .isEqualTo(VerbsException.Kind.INVALID_ARGUMENT);
    } finally {
      vertx.close();
    }
  }

  private static long count(String text, String word) {
    return Pattern.compile(Pattern.quote(word)).matcher(text).results().count();
  }
}
