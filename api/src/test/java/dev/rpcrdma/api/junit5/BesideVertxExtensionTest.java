// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.junit5;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The extension with options, in a class that has vertx-junit5's as well. */
@ExtendWith(VertxExtension.class)
class BesideVertxExtensionTest {

  @RegisterExtension
  static final RpcTestExtension RPC = new RpcTestExtension(new RpcServerOptions().setInlineSize(2048),
      new RpcClientOptions().setInlineSize(2048));

  @Test
  @DisplayName("Server and client live in the Vertx of the other extension, with the options that were given")
  void together(Vertx vertx, VertxTestContext test, RpcServer server, RpcChannel channel) {
    channel.connect().compose(RpcConnection::snapshot).onComplete(test.succeeding(snapshot -> test.verify(() -> {
      assertThat(ContextInternal.current().owner()).isSameAs(vertx);
      assertThat(snapshot.agreed().outboundInline()).isEqualTo(2048);
      assertThat(server.actualPort()).isPositive();
      test.completeNow();
    })));
  }

  @Test
  @DisplayName("Without a Vertx among the parameters they have one of their own")
  void alone(RpcChannel channel, VertxTestContext test) {
    channel.connect().onComplete(test.succeedingThenComplete());
  }
}
