// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.lab.NeedsTshark;
import dev.rpcrdma.testkit.lab.Tshark;
import dev.rpcrdma.tools.cli.Commands;
import dev.rpcrdma.tools.command.Table;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line as a user meets it. */
@Tag("large")
class DemoCommandTest {

  private final Commands commands = new Commands();

  /** Small, odd, empty and large files, nested, and links of all kinds. */
  private static Path tree(Path directory) throws IOException {
    Path nested = Files.createDirectories(directory.resolve("tree/a/b"));
    Path root = directory.resolve("tree");
    Random random = new Random(1);
    for (int i = 0; i < 80; i++) {
      byte[] bytes = new byte[i * 61];
      random.nextBytes(bytes);
      Files.write(nested.resolve("file-" + i), bytes);
    }
    byte[] large = new byte[1_000_003];
    random.nextBytes(large);
    Files.write(root.resolve("lärge"), large);
    Files.createSymbolicLink(root.resolve("link"), root.resolve("lärge"));
    Files.createSymbolicLink(root.resolve("dangling"), root.resolve("nowhere"));
    Files.createSymbolicLink(nested.resolve("loop"), root);
    return root;
  }

  @Test
  void storesATreeAndReadsItBack(@TempDir Path directory) throws IOException {
    int status = commands.run("demo", tree(directory).toString());
    assertThat(commands.err()).isEmpty();
    assertThat(status).isZero();
    assertThat(commands.out()).contains("skipped  dangling: the link dangles")
        .contains("skipped  a/b/loop").containsPattern("skipped +2\n")
        .containsPattern("reverse calls +82\n").endsWith("all 82 digests equal\n");
  }

  /** Fails if {@code DemoCommand} leaves TLS out at one end. */
  @Test
  void theSameWithTls(@TempDir Path directory) throws IOException {
    assertThat(commands.run("demo", "--provider", "siw", "--tls", tree(directory).toString())).as(commands.err())
        .isZero();
    assertThat(commands.out()).endsWith("all 82 digests equal\n");
  }

  @Test
  void theSameFactsAsJson(@TempDir Path directory) throws IOException {
    assertThat(commands.run("demo", "--json", tree(directory).toString())).isZero();
    JsonObject json = new JsonObject(commands.out());
    assertThat(json.getInteger("files")).isEqualTo(82);
    assertThat(json.getInteger("equalDigests")).isEqualTo(82);
    assertThat(json.getBoolean("allEqual")).isTrue();
    assertThat(json.getJsonArray("skipped")).hasSize(2);
    JsonObject messages = json.getJsonObject("messages");
    assertThat(messages.getInteger("inline")).isPositive();
    assertThat(messages.getInteger("readChunks")).isPositive();
    assertThat(messages.getInteger("writeChunks")).isPositive();
    assertThat(messages.getInteger("pulledReplies")).isEqualTo(1);
    assertThat(messages.getInteger("replyChunks")).isZero();
    assertThat(messages.getInteger("positionZeroChunks")).isEqualTo(1);
  }

  @Test
  void anEmptyDirectory(@TempDir Path directory) {
    assertThat(commands.run("demo", directory.toString())).isZero();
    assertThat(commands.out()).contains("all 0 digests equal");
  }

  /** Fails if {@code Table.rate} rounds to nothing. */
  @Test
  @DisplayName("A slow rate has two digits; a fast one is a whole number")
  void slowRates() {
    StringWriter out = new StringWriter();
    Table table = new Table(new PrintWriter(out, true));
    for (double rate : new double[] {0.00123, 0.5, 4.26, 9.99, 10.4, 12_345.6}) {
      table.rate("MB/s", rate, "so");
    }
    assertThat(out.toString().lines().map(line -> line.replaceAll("MB/s +", "")))
        .containsExactly("0.0012, so", "0.5, so", "4.3, so", "10, so", "10, so", "12,346, so");
  }

  /** Fails if {@code LoopbackDemo} measures files, or measures into a capture. */
  @Test
  @DisplayName("The rate of the transfer is of memory: it is known without a file, and not measured into a capture")
  void theRateIsOfMemory(@TempDir Path directory) throws IOException {
    assertThat(commands.run("demo", directory.toString())).isZero();
    assertThat(commands.out()).containsPattern("MB/s there +[1-9][0-9,]*, from memory to memory\n"
        + "MB/s back +[1-9][0-9,]*, from memory to memory\nall 0 digests equal\n");
    Commands asJson = new Commands();
    assertThat(asJson.run("demo", "--json", directory.toString())).isZero();
    JsonObject transfer = new JsonObject(asJson.out()).getJsonObject("transfer");
    assertThat(transfer.getLong("bytes")).isEqualTo(256L << 20);
    assertThat(transfer.getDouble("putMegabytesPerSecond")).isPositive();
    assertThat(transfer.getDouble("getMegabytesPerSecond")).isPositive();
    Commands captured = new Commands();
    Path capture = directory.resolve("demo.pcapng");
    assertThat(captured.run("demo", "--capture", capture.toString(),
        Files.createDirectory(directory.resolve("empty")).toString())).isZero();
    assertThat(captured.out()).doesNotContain("from memory to memory");
    assertThat(Files.size(capture)).isLessThan(1 << 20);
  }

  @Test
  void failuresAreOneLineAndAStatus(@TempDir Path directory) {
    assertThat(commands.run("demo", directory.resolve("none").toString())).isEqualTo(1);
    assertThat(commands.err()).isEqualTo("rpcrdma: No such directory: "
        + directory.resolve("none") + "\n");
    assertThat(commands.out()).isEmpty();
  }

  @Test
  void aProviderThatDoesNotExist(@TempDir Path directory) {
    assertThat(commands.run("demo", "--provider", "pigeon", directory.toString())).isEqualTo(1);
    assertThat(commands.err()).contains("No RDMA provider named 'pigeon'").contains("siw")
        .hasLineCount(1);
  }

  @Test
  void aCaptureThatCannotBeWritten(@TempDir Path directory) {
    assertThat(commands.run("demo", "--capture", directory.resolve("no/where.pcapng").toString(),
        directory.toString())).isEqualTo(1);
    assertThat(commands.err()).contains("where.pcapng").hasLineCount(1);
  }

  @Test
  void aWrongCommandLine() {
    assertThat(commands.run("demo", "--jsn")).isEqualTo(2);
    assertThat(commands.err()).contains("Unknown option: '--jsn'").contains("--json");
    assertThat(commands.run("help")).isZero();
    assertThat(commands.out()).contains("demo").contains("Exit status:");
  }

  @Test
  @NeedsTshark
  void aCaptureOpensInWireshark(@TempDir Path directory) throws IOException {
    Path capture = directory.resolve("demo.pcapng");
    assertThat(commands.run("demo", "--capture", capture.toString(), tree(directory).toString()))
        .isZero();
    assertThat(capture).isNotEmptyFile();
    Tshark.judge(capture);
    // What a blob store says is known to none of its dissectors, so nothing is exempt.
    assertThat(Tshark.count(capture, "_ws.malformed")).isZero();
    assertThat(Tshark.count(capture, "iwarp_mpa.req")).isEqualTo(1);
    assertThat(Tshark.count(capture, "iwarp_ddp.tagged")).isPositive();
    assertThat(Tshark.count(capture, "rpcordma")).isPositive();
    assertThat(Tshark.run("-r", capture.toString(), "-O", "iwarp_mpa")).contains("Good CRC32");
  }
}
