// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.service.bridge.BridgeOptions;
import dev.rpcrdma.service.bridge.BridgePermit;
import dev.rpcrdma.service.bridge.BridgeServerVerticle;
import dev.rpcrdma.service.bridge.EventBusBridge;
import dev.rpcrdma.testkit.FreePort;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.cluster.LoopbackHazelcast;
import io.vertx.core.Completable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.cluster.RegistrationInfo;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A registration in the cluster that fails once, of the end of a bridge that listens. */
class FailedForwardingTest {

  private static final String ADDRESS = "outside";

  private final AtomicBoolean fails = new AtomicBoolean();

  private final class Refusing extends HazelcastClusterManager {

    Refusing() {
      super(LoopbackHazelcast.config(UUID.randomUUID().toString(), List.of()));
    }

    @Override
    public void addRegistration(String address, RegistrationInfo registration, Completable<Void> promise) {
      if (address.equals(ADDRESS) && fails.getAndSet(false)) {
        promise.fail("on purpose");
      } else {
        super.addRegistration(address, registration, promise);
      }
    }
  }

  /** Fails if {@code BridgeServerVerticle} does not look what becomes of {@code EventBusBridge.forwardTo}. */
  @Test
  @DisplayName("The end that listens forwards to each connection, also if one could not be registered at first")
  void registeredAgain() {
    Vertx node = LoopbackHazelcast.join(new Refusing());
    Vertx outside = Vertx.vertx();
    BridgeServerVerticle verticle = new BridgeServerVerticle();
    Waiting.await(node.deployVerticle(verticle, new DeploymentOptions().setConfig(new JsonObject()
        .put("host", "127.0.0.1").put("port", FreePort.find()).put("bridge", new JsonObject()
            .put("forwarded", new JsonArray().add(new JsonObject().put("address", ADDRESS)))))));
    outside.eventBus().consumer(ADDRESS, message -> message.reply(message.body()));
    fails.set(true);
    Waiting.await(RpcClient.create(outside)
        .channel(SocketAddress.inetSocketAddress(verticle.server().actualPort(), "127.0.0.1"))
        .bind(EventBusBridge.create(outside, new BridgeOptions().deliver(BridgePermit.address(ADDRESS))).service())
        .connect());
    Waiting.until(() -> !fails.get());
    Waiting.until(() -> Waiting.outcome(node.eventBus().request(ADDRESS, "x")) == null);
    Waiting.await(outside.close());
    Waiting.await(node.close());
  }
}
