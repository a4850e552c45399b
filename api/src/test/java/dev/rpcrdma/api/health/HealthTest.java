// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.ServerSnapshot;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.healthchecks.HealthChecks;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Health checks and snapshots of servers. */
class HealthTest {

  private static JsonObject check(HealthChecks checks, String name) {
    return Waiting.await(checks.checkStatus(name)).toJson();
  }

  /** Fails if {@code RpcHealthChecks.channel} does not look whether it could connect. */
  @Test
  @DisplayName("A channel and a server are up, and down with the reason")
  void upAndDown() {
    try (RpcBed bed = new RpcBed("siw")) {
      HealthChecks checks = HealthChecks.create(bed.vertx)
          .register("channel", RpcHealthChecks.channel(bed.channel))
          .register("server", RpcHealthChecks.server(bed.server));
      JsonObject up = check(checks, "channel");
      assertThat(up.getString("status")).isEqualTo("UP");
      assertThat(up.getJsonObject("data").getBoolean("connected")).isTrue();
      JsonObject server = check(checks, "server");
      assertThat(server.getString("status")).isEqualTo("UP");
      assertThat(server.getJsonObject("data")).isEqualTo(new JsonObject().put("connections", 1).put("accepted", 1)
          .put("rejected", 0).put("clients", 1).put("callsWaiting", 0)
          .put("address", bed.address().toString()));
      Waiting.await(bed.server.close());
      Waiting.until(() -> !Waiting.await(bed.channel.snapshot()).connected());
      JsonObject down = check(checks, "channel");
      assertThat(down.getString("status")).isEqualTo("DOWN");
      assertThat(down.getJsonObject("data").getString("failure")).contains("Cannot connect");
      assertThat(check(checks, "server").getJsonObject("data").getString("failure")).contains("does not listen");
      Waiting.await(bed.channel.close());
      assertThat(check(checks, "channel").getString("status")).isEqualTo("DOWN");
    }
  }

  /** Fails if {@code RpcServerImpl.accept} does not count what it rejects. */
  @Test
  @DisplayName("A server shows its connections, the clients that it remembers, and what is kept for them")
  void snapshot() {
    try (RpcBed bed = new RpcBed(new RpcServerOptions().setMaxConnections(1), new RpcClientOptions())) {
      Waiting.await(bed.channel.call(EchoService.echo(new byte[100])));
      ServerSnapshot snapshot = Waiting.await(bed.server.snapshot());
      assertThat(snapshot.address()).contains(bed.address());
      assertThat(snapshot.connections()).singleElement().satisfies(connection -> {
        assertThat(connection.localAddress()).isEqualTo(bed.address());
        assertThat(connection.age()).isPositive().isGreaterThanOrEqualTo(connection.idle());
        assertThat(connection.idle()).isBetween(Duration.ZERO, connection.age());
      });
      assertThat(snapshot.clients()).singleElement().satisfies(client -> {
        assertThat(client.instance()).isPresent();
        assertThat(client.connections()).isEqualTo(1);
        assertThat(client.callsRemembered()).isPositive();
        assertThat(client.replyBytes()).isPositive();
        assertThat(client.callsPending()).isZero();
      });
      RpcChannel second = bed.client.channel(bed.address());
      Waiting.awaitFailure(second.connect());
      assertThat(Waiting.await(bed.server.snapshot()).rejected()).isEqualTo(1);
    }
  }

  /** Fails if {@code ServedCall} does not count itself, or counts on when it has come to its end. */
  @Test
  @DisplayName("A server knows how many calls it executes, those that are given up not any more")
  void calls() {
    try (RpcBed bed = new RpcBed("memory")) {
      Future<?> first = bed.channel.call(EchoService.call(EchoService.NEVER));
      Future<?> second = bed.channel.call(EchoService.call(EchoService.NEVER));
      Waiting.until(() -> bed.service.never.size() == 2);
      assertThat(bed.server.callCount()).isEqualTo(2);
      assertThat(Waiting.await(bed.server.snapshot()).connections()).singleElement()
          .satisfies(connection -> assertThat(connection.calls().serving()).isEqualTo(2));
      bed.service.never.get(0).complete(out -> { });
      Waiting.await(first);
      assertThat(bed.server.callCount()).isEqualTo(1);
      bed.service.never.get(1).fail("on purpose");
      Waiting.awaitFailure(second);
      assertThat(bed.server.callCount()).isZero();
    }
  }

  /** Fails if {@code RpcChannelImpl} heeds no {@code reconnectTimeout}. */
  @Test
  @DisplayName("Calls wait for a server that was lost no longer than they are told")
  void reconnectTimeout() {
    try (RpcBed bed = new RpcBed(new RpcServerOptions(), new RpcClientOptions().setReconnectAttempts(0)
        .setReconnectDelay(Duration.ofSeconds(50)).setMaxReconnectDelay(Duration.ofSeconds(50))
        .setReconnectTimeout(Duration.ofMillis(200)))) {
      Waiting.await(bed.channel.call(EchoService.echo(new byte[1])));
      Waiting.await(bed.server.close());
      Waiting.until(() -> !Waiting.await(bed.channel.snapshot()).connected());
      assertThat(Waiting.awaitFailure(bed.channel.call(EchoService.echo(new byte[1]))))
          .isInstanceOf(RpcConnectException.class).hasMessageContaining("200 ms");
    }
  }
}
