// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.verbs.capture.Capture;
import dev.rpcrdma.verbs.capture.CapturedStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./rpcrdma decode}, on what kernels have recorded. */
@DisplayName("rpcrdma decode")
final class DecodeCommandTest {

  private static final Path CAPTURES =
      Path.of("..", "provider-siw", "src", "test", "resources", "captures");

  /** Of rping-crc.pcap: a byte within the payload of the first Read Response. */
  private static final int PAYLOAD_BYTE = 2000;

  @TempDir
  Path directory;

  private Commands commands = new Commands();

  private int decode(Path file, String... options) {
    String[] arguments = new String[options.length + 2];
    arguments[0] = "decode";
    arguments[1] = file.toString();
    System.arraycopy(options, 0, arguments, 2, options.length);
    return commands.run(arguments);
  }

  @Test
  @DisplayName("An NFS mount over RDMA, from the MPA startup to the RPC heads")
  void nfs() {
    assertThat(decode(CAPTURES.resolve("nfs41.pcap"))).isZero();
    assertThat(commands.out())
        .contains("MPA Request, revision 2, no CRC, IRD 128, ORD 0, 8 bytes of private data")
        .contains("copes with remote invalidation")
        .contains("RPC call, XID 0x70a7ef22, program 100003 (0x000186a3), version 4, procedure 0")
        .contains("Send with Invalidate, invalidates 0xa9f33e01")
        .contains("Reply chunk: 100 bytes of 0xa9f33e01")
        .contains("Read chunk at position").contains("Write chunk:")
        .contains("RPC reply, XID 0x70a7ef22, SUCCESS")
        .endsWith("1 iWARP streams, 0 others skipped, 322 segments, 98 messages\n")
        .doesNotContain("malformed");
    commands = new Commands();
    assertThat(decode(CAPTURES.resolve("nfs41.pcap"), "--quiet")).isZero();
    assertThat(commands.out().lines()).hasSize(2);
  }

  /** Fails if {@code Problems.add} keeps the words of all problems, or {@code text} leaves out that there are more. */
  @Test
  @DisplayName("Of many faults the failure names ten, and the output all")
  void manyFaults() throws IOException {
    Path file = directory.resolve("faults.pcapng");
    byte[] request = "MPA ID Req Frame\0\1\0\0and more".getBytes(StandardCharsets.ISO_8859_1);
    try (Capture capture = Capture.open(file)) {
      for (int port = 1; port <= 30; port++) {
        CapturedStream stream = capture.stream(true, new InetSocketAddress("10.0.0.1", port),
            new InetSocketAddress("10.0.0.2", 20_049));
        stream.sent(ByteBuffer.wrap(request));
        stream.close();
      }
    }
    assertThat(decode(file)).isEqualTo(1);
    assertThat(commands.out()).containsPattern("30 > NOT WELL FORMED: ");
    assertThat(commands.err()).startsWith("rpcrdma: 30 streams are not well formed: stream 1, frame ")
        .contains("stream 10, ").endsWith("; and others\n").doesNotContain("stream 11, ");
  }

  /** Fails if {@code CaptureFollower.forgotten} says nothing of a stream that it follows. */
  @Test
  @DisplayName("A stream that is forgotten among thousands of others is a fault")
  void forgotten() throws IOException {
    Path file = directory.resolve("many.pcapng");
    byte[] request = "MPA ID Req Frame\0\1\0\0".getBytes(StandardCharsets.ISO_8859_1);
    try (Capture capture = Capture.open(file)) {
      for (int port = 1; port <= 4097; port++) {
        CapturedStream stream = capture.stream(true, new InetSocketAddress("10.0.0.1", port),
            new InetSocketAddress("10.0.0.2", 20_049));
        if (port == 1) {
          stream.sent(ByteBuffer.wrap(request));
        }
      }
    }
    assertThat(decode(file, "--quiet")).isEqualTo(1);
    assertThat(commands.err()).startsWith("rpcrdma: A stream is not well formed: stream 1, frame ")
        .contains("forgotten, as it was silent");
  }

  /** Fails if {@code CaptureFollower.forgotten} takes a stream without a startup for one of another protocol. */
  @Test
  @DisplayName("A stream that is forgotten before its startup is said, and is not known to be good")
  void forgottenBeforeItsStartup() throws IOException {
    Path file = directory.resolve("early.pcapng");
    try (Capture capture = Capture.open(file)) {
      for (int port = 1; port <= 4097; port++) {
        capture.stream(true, new InetSocketAddress("10.0.0.1", port), new InetSocketAddress("10.0.0.2", 20_049));
      }
    }
    assertThat(decode(file, "--quiet")).isEqualTo(1);
    assertThat(commands.err()).startsWith("rpcrdma: A stream was forgotten while the protocol was not known: stream "
        + "1, frame ");
    assertThat(commands.out()).containsPattern("stream 1 .* skipped: forgotten, as it was silent");
  }

  @Test
  @DisplayName("A flipped bit is found by its CRC, and the command fails with the frame's number")
  void badCrc() throws IOException {
    byte[] bytes = Files.readAllBytes(CAPTURES.resolve("rping-crc.pcap"));
    bytes[PAYLOAD_BYTE] ^= 1;
    Path file = Files.write(directory.resolve("flipped.pcap"), bytes);
    assertThat(decode(file)).isEqualTo(1);
    assertThat(commands.out()).contains("NOT WELL FORMED: An FPDU whose CRC does not match");
    assertThat(commands.err()).matches("(?s)rpcrdma: .*stream 1, frame \\d+: .*CRC.*");
  }

  @Test
  @DisplayName("A truncated file, and one that is no capture, are said to be so")
  void unreadable() throws IOException {
    byte[] bytes = Files.readAllBytes(CAPTURES.resolve("rping.pcap"));
    assertThat(decode(Files.write(directory.resolve("cut"),
        java.util.Arrays.copyOf(bytes, 5000)))).isEqualTo(1);
    assertThat(commands.err()).contains("truncated");
    assertThat(decode(Path.of("pom.xml"))).isEqualTo(1);
    assertThat(commands.err()).contains("neither a pcap nor a pcapng");
    assertThat(decode(directory.resolve("missing"))).isEqualTo(1);
    assertThat(commands.err()).contains("No such file");
  }
}
