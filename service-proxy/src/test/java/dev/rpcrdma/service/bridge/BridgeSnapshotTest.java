// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.healthchecks.HealthChecks;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a bridge shows of itself. */
class BridgeSnapshotTest {

  private static final String ADDRESS = "there";

  private final BlockingQueue<Message<Object>> heard = new LinkedBlockingQueue<>();

  /** Both ends permit the action "go" there; that end does not permit "refused". */
  private BridgeBed bed() {
    BridgeBed bed = new BridgeBed(
        new BridgeOptions().forward(BridgePermit.actions(ADDRESS, "go", "stop")).forward(
            BridgePermit.address("refused")),
        new BridgeOptions().deliver(BridgePermit.actions(ADDRESS, "go", "stop")));
    Waiting.await(bed.there.eventBus().consumer(ADDRESS, heard::add).completion());
    return bed;
  }

  private static DeliveryOptions action(String name) {
    return new DeliveryOptions().addHeader("action", name);
  }

  private static void assertTraffic(BridgeTraffic traffic, long succeeded, long refused, long failed, long pending) {
    assertThat(traffic).isEqualTo(new BridgeTraffic(succeeded, refused, failed, pending));
  }

  /**
   * Fails if {@code Forwarder} or {@code Deliverer} does not count what it refuses, or counts it as what began; or if
   * one counts the beginning or the end of a message not at all.
   */
  @Test
  @DisplayName("Messages are counted by what becomes of them, in each direction")
  void counts() {
    try (BridgeBed bed = bed()) {
      var first = bed.here.eventBus().request(ADDRESS, "x", action("go"));
      var second = bed.here.eventBus().request(ADDRESS, "x", action("stop"));
      Message<Object> go = Waiting.next(heard);
      Message<Object> stop = Waiting.next(heard);
      assertTraffic(bed.callers.snapshot().forwarded(), 0, 0, 0, 2);
      assertTraffic(bed.services.snapshot().delivered(), 0, 0, 0, 2);
      go.reply("y");
      Waiting.await(first);
      stop.fail(7, "on purpose");
      Waiting.awaitFailure(second);
      assertTraffic(bed.callers.snapshot().forwarded(), 1, 0, 1, 0);
      assertTraffic(bed.services.snapshot().delivered(), 1, 0, 1, 0);

      Waiting.awaitFailure(bed.here.eventBus().request(ADDRESS, "x", action("other")));
      assertTraffic(bed.callers.snapshot().forwarded(), 1, 1, 1, 0);
      Waiting.awaitFailure(bed.here.eventBus().request("refused", "x"));
      assertTraffic(bed.callers.snapshot().forwarded(), 1, 1, 2, 0);
      assertTraffic(bed.services.snapshot().delivered(), 1, 1, 1, 0);

      bed.here.eventBus().send(ADDRESS, "x", action("go"));
      Waiting.until(() -> bed.callers.snapshot().forwarded().succeeded() == 2);
      assertTraffic(bed.services.snapshot().delivered(), 2, 1, 1, 0);
      assertTraffic(bed.services.snapshot().forwarded(), 0, 0, 0, 0);
    }
  }

  /** Fails if answers to replies are not counted, or conversations are not. */
  @Test
  @DisplayName("An answer to a reply is a message, for which somebody waits")
  void conversation() {
    try (BridgeBed bed = bed()) {
      var reply = bed.here.eventBus().request(ADDRESS, "x", action("go"));
      var answer = Waiting.next(heard).replyAndRequest("y");
      Message<Object> replied = Waiting.await(reply);
      assertThat(bed.services.snapshot().conversations()).isEqualTo(1);
      replied.reply("z");
      assertThat(Waiting.await(answer).body()).isEqualTo("z");
      Waiting.until(() -> bed.callers.snapshot().forwarded().equals(new BridgeTraffic(2, 0, 0, 0)));
      assertTraffic(bed.services.snapshot().delivered(), 2, 0, 0, 0);
      assertThat(bed.services.snapshot().conversations()).isZero();
      assertThat(bed.callers.snapshot().peers()).isEqualTo(1);
      assertThat(bed.services.snapshot().peers()).isZero();
    }
  }

  /** Fails if {@code Forwarder.calledObject} does not say that an object is used. */
  @Test
  @DisplayName("An object that is called is kept beyond its time")
  void objects() {
    Duration idle = Duration.ofMillis(400);
    try (BridgeBed bed = new BridgeBed(
        new BridgeOptions().forward(BridgePermit.address(ADDRESS)).setProxyTimeout(idle),
        new BridgeOptions().deliver(BridgePermit.address(ADDRESS)))) {
      String there = UUID.randomUUID().toString();
      bed.there.eventBus().consumer(ADDRESS, message -> message.reply("", new DeliveryOptions()
          .addHeader("proxyaddr", there)));
      Waiting.await(bed.there.eventBus().consumer(there, message -> message.reply("here")).completion());
      String here = Waiting.await(bed.here.eventBus().request(ADDRESS, "x")).headers().get("proxyaddr");
      long end = System.nanoTime() + 3 * idle.toNanos();
      Waiting.until(() -> Waiting.await(bed.here.eventBus().request(here, "x")).body().equals("here")
          && System.nanoTime() - end > 0);
    }
  }

  private static JsonObject check(HealthChecks checks, String name) {
    return Waiting.await(checks.checkStatus(name)).toJson();
  }

  /** Fails if a check says OK whatever its channel or server is, or shows no counts. */
  @Test
  @DisplayName("A bridge is up while its server listens, or its channel is connected; it shows its counts")
  void health() {
    try (BridgeBed bed = bed()) {
      HealthChecks checks = HealthChecks.create(bed.here)
          .register("callers", BridgeHealthChecks.channel(bed.callers, bed.channel))
          .register("services", BridgeHealthChecks.server(bed.services, bed.server()));
      Waiting.awaitFailure(bed.here.eventBus().request(ADDRESS, "x", action("other")));
      JsonObject up = check(checks, "callers");
      assertThat(up.getString("status")).isEqualTo("UP");
      assertThat(up.getJsonObject("data").getBoolean("connected")).isTrue();
      assertThat(up.getJsonObject("data").getJsonObject("bridge")).isEqualTo(new JsonObject()
          .put("forwarded", new JsonObject().put("succeeded", 0).put("refused", 1).put("failed", 0).put("pending", 0))
          .put("delivered", new JsonObject().put("succeeded", 0).put("refused", 0).put("failed", 0).put("pending", 0))
          .put("peers", 1).put("conversations", 0));
      assertThat(check(checks, "services").getString("status")).isEqualTo("UP");
      Waiting.await(bed.server().close());
      assertThat(check(checks, "services").getString("status")).isEqualTo("DOWN");
      Waiting.until(() -> !Waiting.await(bed.channel.snapshot()).connected());
      JsonObject down = check(checks, "callers");
      assertThat(down.getString("status")).isEqualTo("DOWN");
      assertThat(down.getJsonObject("data").getJsonObject("bridge")).isNotNull();
    }
  }
}
