// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.resolver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.impl.endpoint.ServerPlace;
import dev.rpcrdma.api.impl.resolver.RefreshedServers.Answer;
import io.vertx.core.Future;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.endpoint.EndpointBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A source and a load balancer that throw: no socket, no time but the test's. */
class RefreshedServersTest {

  private static final Duration LIFE = Duration.ofNanos(10);

  private long now;
  private int asked;
  private boolean queryThrows;
  private boolean balancerThrows;
  private final RefreshedServers<String> servers =
      new RefreshedServers<>("DNS", "orders", new Builder(""), this::query, () -> now, answer(1));

  private Future<Answer> query() {
    asked++;
    if (queryThrows) {
      throw new NoClassDefFoundError("query");
    }
    return Future.succeededFuture(answer(2));
  }

  private static Answer answer(int port) {
    return new Answer(List.of(ServerPlace.of(SocketAddress.inetSocketAddress(port, "h"))), LIFE);
  }

  private final class Builder implements EndpointBuilder<String, SocketAddress> {

    private final String ports;

    Builder(String ports) {
      this.ports = ports;
    }

    @Override
    public EndpointBuilder<String, SocketAddress> addServer(SocketAddress server, String key) {
      if (balancerThrows) {
        throw new NoClassDefFoundError("balancer");
      }
      return new Builder(ports + server.port());
    }

    @Override
    public String build() {
      return ports;
    }
  }

  /** Fails if {@code RefreshedServers} asks outside of its {@code try}. */
  @Test
  @DisplayName("A source that throws is asked again a second later, and what is known is used on")
  void throwingSource() {
    queryThrows = true;
    now = LIFE.toNanos();
    assertThat(servers.endpoint()).isEqualTo("1");
    assertThat(servers.endpoint()).isEqualTo("1");
    assertThat(asked).isEqualTo(1);
    queryThrows = false;
    now += TimeUnit.SECONDS.toNanos(1);
    assertThat(servers.endpoint()).isEqualTo("2");
    assertThat(asked).isEqualTo(2);
  }

  /** Fails if what a load balancer throws ends the asking without an outcome. */
  @Test
  @DisplayName("A load balancer that throws over new servers has them asked for again a second later")
  void throwingBalancer() {
    balancerThrows = true;
    now = LIFE.toNanos();
    assertThat(servers.endpoint()).isEqualTo("1");
    balancerThrows = false;
    now += TimeUnit.SECONDS.toNanos(1);
    assertThat(servers.endpoint()).isEqualTo("2");
  }

  /** Fails if {@code Answer.after} tells servers apart by their names. */
  @Test
  @DisplayName("A server that has two names is one, also while one of its names has no answer")
  void twoNames() {
    ServerPlace known = ServerPlace.resolved("a.example.com", "10.0.0.1", 7);
    ServerPlace other = ServerPlace.resolved("b.example.com", "10.0.0.1", 7);
    ServerPlace third = ServerPlace.resolved("b.example.com", "10.0.0.2", 7);
    Answer part = new Answer(List.of(other, third), LIFE, List.of(other, third));
    assertThat(part.after(List.of(known))).containsExactly(known, third);
  }
}
