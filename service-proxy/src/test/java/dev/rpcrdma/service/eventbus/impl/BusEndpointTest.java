// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus.impl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.ServiceBinding;
import dev.rpcrdma.api.spi.TransportOptions;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.service.eventbus.EventBusChannel;
import dev.rpcrdma.service.fixture.Bare;
import dev.rpcrdma.service.fixture.Doubling;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.tracing.TracingPolicy;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What an endpoint keeps of calls. */
class BusEndpointTest {

  /** Fails if {@code BusEndpoint.called} adds a call behind {@code ServiceHost.serve}, or if an answer leaves it. */
  @Test
  @DisplayName("Nothing is kept of a call that is answered, also at once")
  void answered() {
    Vertx vertx = Vertx.vertx();
    BusEndpoint endpoint = new BusEndpoint(vertx, List.of(ServiceBinding.of(Bare.class).service(new Doubling())),
        new EndpointSettings("bare", false, List.of(), List.of(), null, new TransportOptions(
            RpcOptions.DEFAULT_SERVICE_TIMEOUT, OpaqueAuth.NONE, TracingPolicy.PROPAGATE, 10)), null);
    Waiting.await(endpoint.open());
    EventBusChannel channel = EventBusChannel.create(vertx, "bare");
    assertThat(Waiting.await(channel.proxy(Bare.class).increment(1))).isEqualTo(2);
    Waiting.awaitFailure(channel.call(RpcRequest.to(0x20060099, 1, 0).build()));
    assertThat(endpoint.unanswered()).isZero();
    Waiting.await(vertx.close());
  }
}
