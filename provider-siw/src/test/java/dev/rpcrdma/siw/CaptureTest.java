package dev.rpcrdma.siw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a capture shows is judged by tshark, if it is there. */
@DisplayName("siw: captures")
final class CaptureTest {

  @TempDir
  Path directory;

  @Test
  @DisplayName("tshark decodes a session with all messages, and finds each CRC good")
  void tsharkDecodes() throws Exception {
    assumeTrue(onPath("tshark"), "tshark is not on the PATH: captures are not judged");
    Path file = directory.resolve("session.pcapng");
    capturedSession(file);

    // The Sends carry no RPC, and tshark guesses that they might.
    String text =
        run("tshark", "--disable-protocol", "rpcordma", "-V", "-r", file.toString());
    assertThat(text).doesNotContainIgnoringCase("malformed").doesNotContain("Bad CRC");
    assertThat(text).contains("Good CRC32").contains("Private data");
    String opcodes = run("tshark", "-r", file.toString(), "-T", "fields", "-e",
        "iwarp_rdma.opcode");
    for (String opcode : List.of("0x00", "0x01", "0x02", "0x03", "0x04", "0x07")) {
      assertThat(opcodes).contains(opcode);
    }
    assertThat(run("tshark", "-o", "tcp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE",
        "-r", file.toString(), "-Y", "tcp.checksum.status != 1 || ip.checksum.status != 1 || "
            + "tcp.analysis.flags")).isEmpty();
    assertThat(count(text, "Good CRC32")).isGreaterThan(6);
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

  private static boolean onPath(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(each -> Files.isExecutable(Path.of(each, program)));
  }

  private String run(String... command) throws IOException, InterruptedException {
    Path output = directory.resolve("output");
    Process process = new ProcessBuilder(command).redirectOutput(output.toFile())
        .redirectError(ProcessBuilder.Redirect.DISCARD).start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    return Files.readString(output, StandardCharsets.UTF_8);
  }
}
