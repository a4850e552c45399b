// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Objects and replies that bridges with the same options know together. */
class BridgeTablesTest {

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private static BridgeOptions options(String address) {
    return new BridgeOptions().deliver(BridgePermit.address(address));
  }

  /** Fails if {@code BridgeTables.open} makes tables for each bridge, or {@code close} does not count. */
  @Test
  @DisplayName("Bridges with the same options have the same tables, until the last one is closed")
  void shared() {
    BridgeTables tables = BridgeTables.open(vertx, options("a"));
    assertThat(BridgeTables.open(vertx, options("a"))).isSameAs(tables);
    BridgeTables other = BridgeTables.open(vertx, options("b"));
    assertThat(other).isNotSameAs(tables);
    tables.close();
    assertThat(BridgeTables.open(vertx, options("a"))).isSameAs(tables);
    tables.close();
    tables.close();
    BridgeTables next = BridgeTables.open(vertx, options("a"));
    assertThat(next).isNotSameAs(tables);
    assertThat(BridgeTables.open(vertx, options("b"))).isSameAs(other);
  }

  /** Fails if {@code EventBusBridge.close} gives up its share more than once. */
  @Test
  @DisplayName("A bridge that is closed twice counts once")
  void closedTwice() {
    EventBusBridge bridge = EventBusBridge.create(vertx, options("a"));
    EventBusBridge.create(vertx, options("a"));
    Object tables = vertx.sharedData().getLocalMap(BridgeTables.TABLES).values().iterator().next();
    Waiting.await(bridge.close());
    Waiting.await(bridge.close());
    assertThat(vertx.sharedData().getLocalMap(BridgeTables.TABLES).values()).containsExactly(tables);
  }

  /** Fails if {@code BridgeTables.watch} sets no timer, or {@code expire} sets none while entries are left. */
  @Test
  @DisplayName("Entries whose time is over are removed though no message comes")
  void expires() {
    BridgeTables tables = new BridgeTables(vertx, options("a").setProxyTimeout(Duration.ofMillis(50)), 1);
    tables.permits().add(UUID.randomUUID().toString(), "peer", System.nanoTime());
    tables.conversations().add(null, "peer", System.nanoTime(), Duration.ofMillis(100).toNanos());
    tables.watch();
    Waiting.until(() -> tables.permits().known() == 0 && tables.conversations().known() == 0);
    tables.permits().add(UUID.randomUUID().toString(), "peer", System.nanoTime());
    tables.watch();
    Waiting.until(() -> tables.permits().known() == 0);
  }
}
