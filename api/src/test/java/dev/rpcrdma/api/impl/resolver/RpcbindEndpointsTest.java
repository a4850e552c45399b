// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.resolver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.rpcbind.Rpcbind;
import dev.rpcrdma.api.rpcbind.RpcbindAddress;
import dev.rpcrdma.api.rpcbind.RpcbindOptions;
import dev.rpcrdma.api.rpcbind.RpcbindServer;
import dev.rpcrdma.protocol.rpcbind.Netid;
import dev.rpcrdma.protocol.rpcbind.Rpcb;
import dev.rpcrdma.protocol.rpcbind.UniversalAddress;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.endpoint.EndpointBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When an rpcbind is asked again, by a clock of the test's. */
@DisplayName("Servers that an rpcbind knows")
class RpcbindEndpointsTest {

  private static final int PROGRAM = 0x20060047;
  private static final String HOST = "127.0.0.1";

  private final Vertx vertx = Vertx.vertx();
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(20));
  private final RpcbindServer rpcbind =
      Waiting.await(RpcbindServer.listen(vertx, SocketAddress.inetSocketAddress(0, HOST)));
  private final SocketAddress at = SocketAddress.inetSocketAddress(rpcbind.actualPort(), HOST);
  private final RpcbindEndpoints<List<SocketAddress>> endpoints = new RpcbindEndpoints<>(vertx, now::get);

  /** An endpoint that is nothing but its servers. */
  private record Servers(List<SocketAddress> all) implements EndpointBuilder<List<SocketAddress>, SocketAddress> {

    @Override
    public EndpointBuilder<List<SocketAddress>, SocketAddress> addServer(SocketAddress server, String key) {
      all.add(server);
      return this;
    }

    @Override
    public List<SocketAddress> build() {
      List<SocketAddress> built = List.copyOf(all);
      all.clear();
      return built;
    }
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private void register(int port) {
    Rpcbind asked = Rpcbind.of(vertx, at, RpcbindOptions.DEFAULT);
    Rpcb entry = new Rpcb(PROGRAM, 1, Netid.RDMA, new UniversalAddress(HOST, port).toString(), "me");
    Waiting.await(asked.unregister(entry));
    Waiting.await(asked.register(entry));
  }

  private RefreshedServers<List<SocketAddress>> resolve() {
    return Waiting.await(endpoints.resolve(new RpcbindAddress(at, PROGRAM, 1), new Servers(new ArrayList<>())));
  }

  private static List<SocketAddress> only(int port) {
    return List.of(SocketAddress.inetSocketAddress(port, HOST));
  }

  private void pass(long seconds) {
    now.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  /** Fails if {@code RpcbindEndpoints.LIFE} is another time, or {@code RefreshedServers} compares times that overflow. */
  @Test
  @DisplayName("R-180: an rpcbind is asked again by who calls 30 s after its last answer, and not before")
  void refreshed() {
    register(1);
    RefreshedServers<List<SocketAddress>> state = resolve();
    register(2);
    pass(29);
    assertThat(endpoints.endpoint(state)).isEqualTo(only(1));
    // Whoever was asked before this would have answered first.
    Waiting.await(Rpcbind.of(vertx, at, RpcbindOptions.DEFAULT).dump());
    assertThat(endpoints.endpoint(state)).isEqualTo(only(1));
    assertThat(endpoints.isValid(state)).isTrue();
    pass(1);
    // Nobody waits for the answer, which may be here all the same.
    assertThat(endpoints.endpoint(state)).isIn(only(1), only(2));
    Waiting.until(() -> endpoints.endpoint(state).equals(only(2)));
    register(3);
    pass(29);
    assertThat(endpoints.endpoint(state)).isEqualTo(only(2));
    pass(1);
    Waiting.until(() -> endpoints.endpoint(state).equals(only(3)));
  }

  /** Fails if {@code RefreshedServers} forgets servers when there is no answer. */
  @Test
  @DisplayName("While rpcbind does not answer, what it said last is used on, and it is asked again")
  void noAnswer() {
    register(1);
    RefreshedServers<List<SocketAddress>> state = resolve();
    Waiting.await(Rpcbind.of(vertx, at, RpcbindOptions.DEFAULT).unregister(new Rpcb(PROGRAM, 1, "", "", "me")));
    pass(36);
    assertThat(endpoints.isValid(state)).as("for it was not used for so long").isFalse();
    assertThat(endpoints.endpoint(state)).isEqualTo(only(1));
    Waiting.until(() -> {
      // It is valid while it is being asked for, and late again when that has failed.
      pass(10);
      return !endpoints.isValid(state);
    });
    assertThat(endpoints.endpoint(state)).isEqualTo(only(1));
    register(2);
    Waiting.until(() -> {
      pass(1);
      return endpoints.endpoint(state).equals(only(2));
    });
  }
}
