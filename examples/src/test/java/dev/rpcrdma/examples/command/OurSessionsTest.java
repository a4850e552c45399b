// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.tools.cli.Commands;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./rpcrdma decode}, on what other commands have recorded. */
@DisplayName("rpcrdma decode: sessions of ours")
final class OurSessionsTest {

  @TempDir
  Path directory;

  private Commands commands = new Commands();

  @Test
  @DisplayName("A session of ours: what each side can do, Long calls, and replies that are pulled")
  void largeReplies() {
    Path capture = directory.resolve("pulled.pcapng");
    assertThat(commands.run("ranges", "--size", "33", "--capture", capture.toString())).isZero();
    assertThat(commands.run("decode", capture.toString())).isZero();
    assertThat(commands.out())
        .contains("vertx-rpcrdma: remembers calls by ")
        .contains(", pulls replies, provides replies to be pulled, takes RDMA_DONE that invalidates\n")
        .containsPattern("RDMA_NOMSG, credits 64: a reply to be pulled\n +Read chunk at position 0: 1\\d{5} bytes")
        .containsPattern("Send with Invalidate, invalidates .*\n.*RDMA_DONE, credits 64: a reply is done with\n");
    commands = new Commands();
    Path calls = directory.resolve("long.pcapng");
    assertThat(commands.run("demo", "--capture", calls.toString(), "src/main/java")).isZero();
    assertThat(commands.run("decode", calls.toString())).isZero();
    assertThat(commands.out()).containsPattern(
        "RDMA_NOMSG, credits 64: a Long call\n +Read chunk at position 0: ");
  }
}
