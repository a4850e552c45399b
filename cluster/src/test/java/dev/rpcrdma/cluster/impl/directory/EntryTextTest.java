// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.cluster.ClusterProgram;
import dev.rpcrdma.cluster.ClusterServer;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The text of a registration in the map of a cluster, which the releases before and after read. */
class EntryTextTest {

  private static final String TEXT = """
      {"format":1,"sequence":81985529216486895,"ttl":10001,"node":"node-a","devices":["siw","mlx5_0"],\
      "host":"10.1.2.3","port":20049,"connections":17,"draining":true,\
      "programs":[{"name":"Orders","program":4294967295,"version":2},\
      {"name":"Ledger","program":537264152,"version":3}],\
      "calls":19}""";

  private static final ServerEntry ENTRY = new ServerEntry(new ClusterServer("instance-b", "node-a",
      List.of("siw", "mlx5_0"), "10.1.2.3", 20049, List.of(new ClusterProgram("Orders", 0xffffffff, 2),
          new ClusterProgram("Ledger", 0x20060018, 3)), 17, OptionalInt.of(19), true), 0x0123456789abcdefL,
      10_001_000_000L);

  /** Fails if {@code EntryText.write} gives a key another name, or a value another form. */
  @Test
  @DisplayName("A registration is written in the keys that are known")
  void written() {
    assertThat(new JsonObject(EntryText.write(ENTRY))).isEqualTo(new JsonObject(TEXT));
  }

  /** Fails if {@code EntryText.read} looks for another key. */
  @Test
  @DisplayName("A registration is read from the keys that are known")
  void read() {
    assertThat(EntryText.read("instance-b", TEXT)).isEqualTo(ENTRY);
  }
}
