// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.signature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.requirements.TestTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The API is the one that is recorded: who changes it does so on purpose, and knows whom that breaks. */
class ApiTest {

  private static final String FOLDER = "requirements/src/test/resources/api";

  @TempDir
  private Path folder;

  /** Fails if a public or protected signature of an exported package is changed, taken away, or added. */
  @Test
  @DisplayName("The API has the signatures that are recorded")
  void recorded() throws IOException {
    RecordedApi recorded = new RecordedApi(TestTree.root().resolve(FOLDER));
    SortedMap<String, SortedMap<String, TypeText>> now = RecordedApi.compiled();
    if (Boolean.getBoolean("api.record")) {
      recorded.write(now);
    }
    SortedMap<String, SortedMap<String, TypeText>> before = recorded.read();
    List<Change> changes = new ArrayList<>();
    now.forEach((module, types) -> changes.addAll(Comparison.of(before.get(module), types)));
    String told = Verdict.of(changes);
    if (!told.isEmpty()) {
      throw new AssertionError(told);
    }
  }

  /** Fails if {@code RecordedApi} leaves a module out, or takes what is exported to some modules alone. */
  @Test
  @DisplayName("What is recorded is read as it was written, and has types of each module")
  void complete() throws IOException {
    SortedMap<String, SortedMap<String, TypeText>> now = RecordedApi.compiled();
    assertThat(now.get("dev.rpcrdma.api"))
        .containsKeys("dev.rpcrdma.api.RpcClient", "dev.rpcrdma.api.spi.CallTransport")
        .doesNotContainKey("dev.rpcrdma.api.impl.client.RpcChannelImpl");
    assertThat(now.get("dev.rpcrdma.service")).containsKey("dev.rpcrdma.service.RpcProgram");
    assertThat(now.get("dev.rpcrdma.verbs")).containsKey("dev.rpcrdma.verbs.QueuePair");
    assertThat(now.get("dev.rpcrdma.siw")).containsKey("dev.rpcrdma.siw.SiwOptions");
    assertThat(now.get("dev.rpcrdma.ibverbs")).containsKey("dev.rpcrdma.ibverbs.IbverbsOptions");
    assertThat(now.get("dev.rpcrdma.protocol")).as("named by others").containsKey("dev.rpcrdma.protocol.xdr.XdrWriter")
        .as("exported to one").doesNotContainKey("dev.rpcrdma.protocol.connection.ConnectionMachine");
    RecordedApi copy = new RecordedApi(folder);
    copy.write(now);
    assertThat(copy.read()).isEqualTo(now);
  }
}
