// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of a bridge that has the services is undeployed while a message waits for its reply. */
class UndeployedBridgeTest {

  private static final String ADDRESS = "there";

  private static boolean refuses(int port) {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      return !socket.isConnected();
    } catch (IOException e) {
      return true;
    }
  }

  /** Fails if {@code Deliverer} waits for replies on the context of a verticle. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("A message that is under way when the verticle of the services' end is undeployed is answered")
  void serverUndeployed(boolean closesItself) {
    Vertx here = Vertx.vertx();
    Vertx there = Vertx.vertx();
    BlockingQueue<Message<Object>> messages = new LinkedBlockingQueue<>();
    Waiting.await(there.eventBus().<Object>consumer(ADDRESS, messages::add).completion());
    Promise<RpcServer> listening = Promise.promise();
    String deployment = Waiting.await(there.deployVerticle(new VerticleBase() {
      @Override
      public Future<?> start() {
        return RpcServer.create(vertx).bind(EventBusBridge.create(vertx,
            new BridgeOptions().deliver(BridgePermit.address(ADDRESS))).service())
            .listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")).onComplete(listening);
      }

      @Override
      public Future<?> stop() {
        return closesItself ? listening.future().compose(RpcServer::close) : Future.succeededFuture();
      }
    }));
    int port = Waiting.await(listening.future()).actualPort();
    EventBusBridge callers = EventBusBridge.create(here, new BridgeOptions().forward(BridgePermit.address(ADDRESS)));
    Waiting.await(callers.forward(RpcClient.create(here).channel(SocketAddress.inetSocketAddress(port, "127.0.0.1"))));
    Future<Message<Object>> reply = here.eventBus().request(ADDRESS, "x");
    Message<Object> message = Waiting.next(messages);
    Future<Void> undeployed = there.undeploy(deployment);
    Waiting.until(() -> refuses(port));
    message.reply("y");
    assertThat(Waiting.await(reply).body()).isEqualTo("y");
    Waiting.await(undeployed);
    Waiting.await(here.close());
    Waiting.await(there.close());
  }
}
