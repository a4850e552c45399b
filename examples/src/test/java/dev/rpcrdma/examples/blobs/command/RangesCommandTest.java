// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.tools.cli.Commands;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A file that is larger than the memory for it, as a user reads it. */
@Tag("large")
class RangesCommandTest {

  private final Commands commands = new Commands();

  @Test
  @DisplayName("96 MiB are read in 24 MiB of memory")
  void ranges() {
    assertThat(commands.run("ranges", "--size", "96", "--memory", "24")).isZero();
    assertThat(commands.err()).isEmpty();
    assertThat(commands.out()).containsPattern("bytes +100,663,296\n").containsPattern("memory, at most +25,165,824\n")
        .containsPattern("MB/s there +[1-9][0-9,]*, from memory to memory\n")
        .containsPattern("MB/s by ranges +[1-9][0-9,]*, with files and digests\n").containsPattern("data and holes +6\n").containsPattern("replies pulled +1\n").endsWith("both digests equal\n");
  }

  @Test
  @DisplayName("The same facts as JSON")
  void json() {
    assertThat(commands.run("ranges", "--size", "33", "--json")).isZero();
    JsonObject json = new JsonObject(commands.out());
    assertThat(json.getLong("bytes")).isEqualTo(33L << 20);
    assertThat(json.getLong("memory")).isEqualTo(64L << 20);
    assertThat(json.getInteger("extents")).isEqualTo(4);
    assertThat(json.getInteger("pulledReplies")).isEqualTo(1);
    assertThat(json.getBoolean("equal")).isTrue();
    assertThat(json.getJsonObject("transfer").getDouble("getMegabytesPerSecond")).isPositive();
  }

  @Test
  @DisplayName("Memory that holds no range is an error in one line")
  void tooLittle() {
    assertThat(commands.run("ranges", "--size", "3", "--memory", "1")).isEqualTo(1);
    assertThat(commands.err()).endsWith("\n").contains("rpcrdma: ");
  }
}
