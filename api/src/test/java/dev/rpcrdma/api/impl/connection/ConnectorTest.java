// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.impl.call.CallPolicy;
import dev.rpcrdma.protocol.requester.XidSlots;
import dev.rpcrdma.protocol.responder.CallHistory;
import dev.rpcrdma.testkit.RecordingHandler;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsListener;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.SocketAddress;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is left when nothing comes of a connection. */
class ConnectorTest {

  private final Vertx vertx = Vertx.vertx();
  private final RpcClientOptions options = new RpcClientOptions().setProvider("siw");
  private final SharedDevice device = SharedDevice.acquire(vertx,
      options.providersInOrder().get(0), options.getCapture());
  private final SharedDevice.Opened opened = Waiting.await(device.opened());

  @AfterEach
  void nothingIsLeft() {
    Waiting.await(opened.sends().close());
    assertThat(opened.domain().registrations()).isZero();
    Waiting.await(device.release());
    Waiting.await(vertx.close());
  }

  @Test
  @DisplayName("R-170: a setup that cannot post its Receives fails the connect, which has an outcome")
  void setupFails() {
    ContextInternal context = ((VertxInternal) vertx).createEventLoopContext();
    VerbsListener listener = Waiting.await(opened.device().listen(context,
        SocketAddress.inetSocketAddress(0, VerbsBed.HOST), request -> request.accept(context,
            opened.domain(), ConnectionOptions.DEFAULT, pair -> new RecordingHandler())));
    Connector connector = new Connector(context, options, opened, new PeerMemory(
        Optional.empty(), new XidSlots(5, 1), CallHistory.NONE, CallPolicy.of(options)));
    // As when the domain is closed while the connection is made.
    Future<?> connected =
        connector.connect(listener.localAddress(), Optional.empty(), RpcConnectionImpl::releaseSlots);
    assertThat(Waiting.awaitFailure(connected)).isInstanceOf(VerbsException.class)
        .hasMessageContaining("deregistered");
  }
}
