// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.service.fixture.Color;
import dev.rpcrdma.service.fixture.Keyed;
import dev.rpcrdma.service.fixture.KeyedRpcProxy;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The keys of calls. */
class RoutingKeyTest {

  private final List<Optional<String>> keys = new ArrayList<>();
  private final Keyed proxy = new RpcCaller() {
    @Override
    public <T> Future<T> call(RpcRequest<T> request) {
      keys.add(request.options().routingKey());
      return Future.succeededFuture();
    }
  }.proxy(Keyed.class);

  @Test
  @DisplayName("The parameter's text is the key; null is none")
  void keys() {
    UUID id = UUID.randomUUID();
    proxy.byText(1, "a");
    proxy.byText(2, "");
    proxy.byNumber(-7);
    proxy.byConstant(Color.values()[1]);
    proxy.byId(id);
    proxy.byFlag(true);
    proxy.byFlag(null);
    assertThat(keys).containsExactly(Optional.of("a"), Optional.of(""), Optional.of("-7"),
        Optional.of(Color.values()[1].name()), Optional.of(id.toString()), Optional.of("true"), Optional.empty());
  }

  @Test
  @DisplayName("A key of the proxy's options wins")
  void options() {
    KeyedRpcProxy.with(proxy, CallOptions.DEFAULT.withRoutingKey("mine")).byNumber(1);
    assertThat(keys).containsExactly(Optional.of("mine"));
  }
}
