// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.service.fixture.Orders;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Proxies in logs. */
class ProxyTextTest {

  /** Fails if {@code ProxyWriter.text} or {@code RpcChannelImpl.toString} is not there. */
  @Test
  @DisplayName("A proxy says its interface and where its calls go")
  void text() {
    Vertx vertx = Vertx.vertx();
    try {
      RpcChannel channel = RpcClient.create(vertx).channel(SocketAddress.inetSocketAddress(20049, "127.0.0.1"));
      assertThat(channel).hasToString("RpcChannel[127.0.0.1:20049]");
      assertThat(channel.proxy(Orders.class)).hasToString("Orders over RpcChannel[127.0.0.1:20049]");
    } finally {
      Waiting.await(vertx.close());
    }
  }
}
