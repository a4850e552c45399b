// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.junit5;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(RpcTestExtension.class)
class RpcTestExtensionTest {

  @Test
  void allParametersBelongTogether(Vertx vertx, RpcServer server, RpcClient client,
      RpcChannel channel) throws Exception {
    assertThat(server.actualPort()).isPositive();
    assertThat(client).isNotNull();
    assertThat(vertx).isNotNull();
    Throwable failure = channel.call(RpcRequest.to(0x20060042, 1, 1).withoutBinding().build())
        .<Throwable>map(none -> null).otherwise(e -> e)
        .toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    assertThat(failure).isInstanceOf(RpcRejectedException.class);
  }
}
