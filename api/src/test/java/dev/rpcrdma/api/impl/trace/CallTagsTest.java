// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.tracing.TagExtractor;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Attributes by OpenTelemetry's conventions. */
@DisplayName("Attributes of spans")
class CallTagsTest {

  private final CallTags call = new CallTags("Desk", -1, 7, "ask", SocketAddress.inetSocketAddress(20049, "a.example"));

  /** Fails if {@code CallTags.client} lacks an attribute that a client's span has to have. */
  @Test
  @DisplayName("Clients say which server, servers which peer")
  void sides() {
    Map<String, String> both = Map.of("rpc.system.name", "onc_rpc", "rpc.method", "Desk/ask", "onc_rpc.program.name",
        "Desk", "onc_rpc.version", "4294967295", "onc_rpc.procedure.name", "ask", "onc_rpc.procedure.number", "7",
        "network.peer.address", "a.example", "network.peer.port", "20049");
    assertThat(CallTags.client("").extract(call)).containsAllEntriesOf(both).hasSize(10)
        .containsEntry("server.address", "a.example").containsEntry("server.port", "20049");
    assertThat(CallTags.server("").extract(call)).isEqualTo(both);
    CallTags unknown = new CallTags("Desk", 1, 7, "ask", null);
    assertThat(CallTags.client("").extract(unknown)).hasSize(6).doesNotContainKey("server.address");
  }

  /** Fails if an attribute of the earlier conventions is there without being asked for, or replaces the new one. */
  @ParameterizedTest
  @CsvSource({"'', false", "rpc, false", "http/dup, false", "rpc/dup, true",
      "'http, rpc/dup', true", "'rpc,rpc/dup', true"})
  @DisplayName("Earlier conventions are there besides if the application asks for both")
  void optIn(String optIn, boolean both) {
    for (TagExtractor<CallTags> tags : List.of(CallTags.client(optIn), CallTags.server(optIn))) {
      assertThat(tags.extract(call)).containsEntry("rpc.system.name", "onc_rpc");
      assertThat(tags.extract(call).containsKey("rpc.system")).isEqualTo(both);
    }
  }

  /** Fails if a call that succeeds has an error. */
  @Test
  @DisplayName("A call that fails says the class of its exception")
  void outcome() {
    assertThat(CallTags.outcome(null).extract("")).isEmpty();
    assertThat(CallTags.outcome(new IllegalStateException("secret")).extract(""))
        .isEqualTo(Map.of("error.type", "java.lang.IllegalStateException"));
  }
}
