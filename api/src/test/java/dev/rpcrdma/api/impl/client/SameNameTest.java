// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.impl.metrics.RecordingMetrics;
import dev.rpcrdma.api.resolver.ServiceName;
import dev.rpcrdma.api.resolver.StaticResolver;
import dev.rpcrdma.testkit.FreePort;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.metrics.MetricsOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.metrics.PoolMetrics;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Two servers of one name and one port, at two addresses. */
class SameNameTest {

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private static SocketAddress address(int last, int port) throws UnknownHostException {
    InetAddress ip = InetAddress.getByAddress("servers.example", new byte[] {127, 0, 0, (byte) last});
    return SocketAddress.inetSocketAddress(new InetSocketAddress(ip, port));
  }

  private RpcServer server(int last, int port, AtomicInteger connections) {
    RpcServer server = RpcServer.create(vertx).bind(new EchoService());
    server.connectionHandler(connection -> connections.incrementAndGet());
    return Waiting.await(server.listen(SocketAddress.inetSocketAddress(port, "127.0.0." + last)));
  }

  /** Fails if {@code ResolvedChannel} knows servers by their {@code SocketAddress}. */
  @Test
  @DisplayName("Two resolved addresses of one name are two servers: both are called, and one goes on for the other")
  void two() throws UnknownHostException {
    int port = FreePort.find();
    AtomicInteger first = new AtomicInteger();
    AtomicInteger second = new AtomicInteger();
    RpcServer gone = server(1, port, first);
    server(2, port, second);
    RpcClient client = RpcClient.builder(vertx).withAddressResolver(
        StaticResolver.of(Map.of("servers", List.of(address(1, port), address(2, port))))).build();
    RpcChannel channel = client.channel(ServiceName.of("servers"));
    for (int i = 0; i < 4; i++) {
      Waiting.await(channel.call(EchoService.echo(new byte[1])));
    }
    assertThat(first).hasValue(1);
    assertThat(second).hasValue(1);
    Waiting.await(gone.close());
    for (int i = 0; i < 4; i++) {
      Waiting.await(channel.call(EchoService.echo(new byte[1])));
    }
  }

  /** Fails if {@code VertxCallMetrics.numbered} gives names. */
  @Test
  @DisplayName("Metrics tell two resolved addresses of one name apart, by their numbers")
  void metrics() throws UnknownHostException {
    List<String> pools = new CopyOnWriteArrayList<>();
    RecordingMetrics recording = new RecordingMetrics() {
      @Override
      public PoolMetrics<?, ?> createPoolMetrics(String type, String name, int maxSize) {
        pools.add(name);
        return super.createPoolMetrics(type, name, maxSize);
      }
    };
    int port = FreePort.find();
    server(1, port, new AtomicInteger());
    server(2, port, new AtomicInteger());
    Vertx watched = Vertx.builder().with(new VertxOptions().setMetricsOptions(new MetricsOptions().setEnabled(true)))
        .withMetrics(options -> recording).build();
    RpcChannel channel = RpcClient.builder(watched).withAddressResolver(
        StaticResolver.of(Map.of("servers", List.of(address(1, port), address(2, port))))).build()
        .channel(ServiceName.of("servers"));
    for (int i = 0; i < 4; i++) {
      Waiting.await(channel.call(EchoService.echo(new byte[1])));
    }
    assertThat(pools).contains("127.0.0.1:" + port, "127.0.0.2:" + port);
    Waiting.await(watched.close());
  }
}
