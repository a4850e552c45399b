// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.testkit.FreePort;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Two instances of a verticle that is the end of a bridge, and a client whose connections come to both. */
class BridgeInstancesTest {

  private static final String ADDRESS = "there";
  private static final int ROUNDS = 40;

  private final Vertx here = Vertx.vertx();
  private final Vertx there = Vertx.vertx();
  private final List<EventBusBridge> bridges = new CopyOnWriteArrayList<>();
  private final BlockingQueue<Message<Object>> answers = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    Waiting.await(here.close());
    Waiting.await(there.close());
  }

  private String deploy(int port) {
    JsonObject config = new JsonObject().put("host", "127.0.0.1").put("port", port).put("bridge",
        new BridgeOptions().deliver(BridgePermit.address(ADDRESS)).toJson());
    return Waiting.await(there.deployVerticle(() -> new BridgeServerVerticle() {
      @Override
      protected EventBusBridge createBridge(BridgeOptions wanted) {
        EventBusBridge bridge = super.createBridge(wanted);
        bridges.add(bridge);
        return bridge;
      }
    }, new DeploymentOptions().setConfig(config).setInstances(2)));
  }

  /** Replies with the address of an object, and waits for an answer to the reply, whose sender waits as well. */
  private void serve() {
    EventBus bus = there.eventBus();
    bus.consumer(ADDRESS, message -> {
      String object = UUID.randomUUID().toString();
      bus.consumer(object, call -> call.reply("object " + call.body()));
      message.replyAndRequest("reply", new DeliveryOptions().addHeader("proxyaddr", object))
          .onSuccess(answer -> answer.replyAndRequest("next").onSuccess(answers::add));
    });
  }

  private static int code(Throwable failure) {
    assertThat(failure).isInstanceOf(ReplyException.class);
    return ((ReplyException) failure).failureCode();
  }

  /** Fails if each {@code Deliverer} has {@code Permits} or {@code Conversations} of its own. */
  @Test
  @DisplayName("Calls of an object and answers to replies may come to another instance than the call before")
  void twoInstances() {
    int port = FreePort.find();
    serve();
    String deployment = deploy(port);
    EventBusBridge callers = EventBusBridge.create(here, new BridgeOptions().forward(BridgePermit.address(ADDRESS))
        .forward(BridgePermit.address("secret")));
    RpcClient client = RpcClient.create(here, new RpcClientOptions().setConnections(2));
    Waiting.await(callers.forward(client.channel(SocketAddress.inetSocketAddress(port, "127.0.0.1"))));
    EventBus bus = here.eventBus();
    for (int i = 0; i < ROUNDS; i++) {
      Message<Object> reply = Waiting.await(bus.request(ADDRESS, i));
      Message<Object> next = Waiting.await(reply.replyAndRequest("answer"));
      assertThat(next.body()).isEqualTo("next");
      next.reply("last " + i);
      assertThat(Waiting.next(answers).body()).isEqualTo("last " + i);
      String object = reply.headers().get("proxyaddr");
      assertThat(Waiting.await(bus.request(object, i)).body()).isEqualTo("object " + i);
      assertThat(code(Waiting.awaitFailure(bus.request("secret", i)))).isEqualTo(BusFailures.FORBIDDEN);
    }
    assertThat(bridges).hasSize(2).allSatisfy(bridge -> {
      assertThat(bridge.snapshot().delivered().succeeded()).isPositive();
      assertThat(bridge.snapshot().delivered().refused()).isPositive();
    });
    Message<Object> open = Waiting.await(bus.request(ADDRESS, "x"));
    assertThat(bridges).allSatisfy(bridge -> assertThat(bridge.snapshot().conversations()).isEqualTo(1));
    Waiting.await(client.close());
    Waiting.await(there.undeploy(deployment));
    assertThat(there.sharedData().getLocalMap(BridgeTables.TABLES).isEmpty()).isTrue();
    deploy(port);
    assertThat(bridges).hasSize(4);
    assertThat(bridges.get(3).snapshot().conversations()).isZero();
    assertThat(open.headers().get("proxyaddr")).isNotNull();
  }

  /** Fails if {@code BridgeServerVerticle.start} leaves its bridge open. */
  @Test
  @DisplayName("A verticle that cannot listen leaves nothing behind")
  void notDeployed() {
    JsonObject config = new JsonObject().put("host", "192.0.2.1").put("port", 1)
        .put("bridge", new JsonObject().put("delivered", new JsonArray()));
    assertNothingLeft(new BridgeServerVerticle(), config);
  }

  /** Fails if a verticle's {@code start} closes its bridge only where a future has failed. */
  @Test
  @DisplayName("A verticle with a wrong configuration leaves nothing behind")
  void wronglyConfigured() {
    JsonObject good = new JsonObject().put("host", "127.0.0.1").put("port", 1).put("bridge", new JsonObject());
    for (JsonObject wrong : List.of(good.copy().put("port", 70_000),
        good.copy().put("options", new JsonObject().put("inlineSize", 4096)))) {
      assertNothingLeft(new BridgeServerVerticle(), wrong);
      assertNothingLeft(new BridgeClientVerticle(), wrong);
    }
  }

  private void assertNothingLeft(Deployable verticle, JsonObject config) {
    Waiting.awaitFailure(there.deployVerticle(verticle, new DeploymentOptions().setConfig(config)));
    assertThat(there.sharedData().getLocalMap(BridgeTables.TABLES).isEmpty()).isTrue();
  }
}
