// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.LoggedMessages;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.metrics.MetricsOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.metrics.ClientMetrics;
import io.vertx.core.spi.metrics.VertxMetrics;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a backend of Vert.x's metrics hears, and that nothing which it does changes what becomes of a call. */
class MetricsTest {

  private static final String BACKEND = "dev.rpcrdma.api.impl.metrics.Backend";

  private final EchoService service = new EchoService();
  private Vertx vertx;
  private RpcServer server;
  private RpcClient client;
  private RpcChannel channel;

  private void open(VertxMetrics backend) {
    vertx = Vertx.builder().with(new VertxOptions().setMetricsOptions(new MetricsOptions().setEnabled(true)))
        .withMetrics(options -> backend).build();
    server = RpcServer.create(vertx, new RpcServerOptions().setMetricsName("served ")).bind(service);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    client = RpcClient.create(vertx, new RpcClientOptions().setMetricsName("made "));
    channel = client.channel(SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private static void until(RecordingMetrics metrics, String pattern) {
    Waiting.until(() -> metrics.events.stream().anyMatch(Pattern.compile(pattern).asMatchPredicate()));
  }

  @Test
  @DisplayName("A call is told of from its beginning to its end, at both ends")
  void calls() {
    RecordingMetrics metrics = new RecordingMetrics();
    open(metrics);
    assertThat(client.isMetricsEnabled()).isTrue();
    assertThat(server.isMetricsEnabled()).isTrue();
    Waiting.await(channel.connect());
    until(metrics, "connected");
    // That of the announcement.
    until(metrics, "call\\d+ ended");
    metrics.events.clear();
    Waiting.await(channel.call(EchoService.echo(new byte[1])));
    until(metrics, "call\\d+ ended");
    assertThat(metrics.events.stream().map(event -> event.replaceAll("\\d+ ", "# "))).containsExactlyInAnyOrder(
        "call# begins 0x20060099/ECHO of rpcrdma made 1", "wait# over", "call# sent", "rpcrdma-services-# back",
        "rpcrdma-replies-# back", "rpcrdma-credits-# back", "call# answered", "call# ended");
    metrics.events.clear();
    Waiting.awaitFailure(channel.call(EchoService.call(EchoService.STATUS)));
    until(metrics, "call\\d+ failed");
    Waiting.await(client.close());
    Waiting.await(server.close());
    assertThat(metrics.events).contains("disconnected", "calls closed", "rpcrdma-credits closed",
        "rpcrdma-services closed", "rpcrdma-replies closed");
  }

  @Test
  @DisplayName("Whoever waits for a credit is in a queue, also if it is given up there")
  void queue() {
    RecordingMetrics metrics = new RecordingMetrics();
    open(metrics);
    RpcChannel narrow = RpcClient.create(vertx, new RpcClientOptions().setForwardCredits(1)
        .setDrainTimeout(Duration.ofMillis(1))).channel(
        SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
    Waiting.await(narrow.connect());
    until(metrics, "call\\d+ ended");
    Future<Void> first = narrow.call(EchoService.call(EchoService.NEVER));
    Waiting.until(() -> service.never.size() == 1);
    metrics.events.clear();
    Cancellation cancellation = Cancellation.create();
    Future<Void> second = narrow.call(RpcRequest.to(EchoService.BINDING, EchoService.NEVER)
        .options(CallOptions.DEFAULT.withCancellation(cancellation)).build());
    until(metrics, "call\\d+ begins .*");
    assertThat(metrics.events).hasSize(1);
    cancellation.cancel();
    Waiting.awaitFailure(second);
    until(metrics, "call\\d+ failed");
    assertThat(metrics.events.get(1)).endsWith(" over");
    service.never.get(0).complete(XdrEncoder.VOID);
    Waiting.await(first);
  }

  @Test
  @DisplayName("Blocks of registered memory are told of, each from when it is lent until it is back")
  void memory() {
    RecordingMetrics metrics = new RecordingMetrics();
    open(metrics);
    RpcConnection connection = Waiting.await(channel.connect());
    Payload payload = Waiting.await(connection.allocate(100_000));
    assertThat(metrics.events).noneMatch(event -> event.startsWith("rpcrdma-memory-"));
    payload.release();
    until(metrics, "rpcrdma-memory-\\d+ back");
  }

  /** Fails where it is told to. */
  private static final class Failing extends RecordingMetrics {

    private final String where;
    private final Throwable failure;

    Failing(String where, Throwable failure) {
      this.where = where;
      this.failure = failure;
    }

    @Override
    public void misbehave(String event) {
      if (event.contains(where)) {
        sneak(failure);
      }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable failure) throws T {
      throw (T) failure;
    }
  }

  private void callsGoOn(String backend) {
    try (LoggedMessages log = new LoggedMessages(BACKEND)) {
      for (int i = 0; i < 3; i++) {
        Waiting.await(channel.call(EchoService.echo(new byte[1])));
      }
      assertThat(Waiting.awaitFailure(channel.call(EchoService.call(EchoService.STATUS))))
          .isInstanceOf(RpcRejectedException.class);
      Waiting.await(client.close());
      Waiting.await(server.close());
      assertThat(log.all()).as("said").hasSize(1).allMatch(line -> line.contains(backend));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"init", "begins", "enqueue", "over", "begin", "sent", "back", "answered", "ended"})
  @DisplayName("A backend that throws is told of once, and calls go on")
  void failing(String where) {
    open(new Failing(where, new IllegalStateException("on purpose")));
    callsGoOn("Failing has failed");
  }

  @Test
  @DisplayName("A backend that is not all there is told of once, and calls go on")
  void notThere() {
    open(new Failing("begins", new NoSuchMethodError("on purpose")));
    callsGoOn("Failing has failed");
  }

  @Test
  @DisplayName("A backend that gives nulls to be known by gets them back, and may fail with them")
  void nulls() {
    open(new RecordingMetrics() {
      @Override
      public Object token(String kind) {
        return null;
      }

      @Override
      public void misbehave(String where) {
        if (where.equals("null ended")) {
          throw new NullPointerException("on purpose");
        }
      }
    });
    callsGoOn("has failed");
  }

  /** Fails if a backend is switched off for what a pause of the whole process may have been. */
  @Test
  @DisplayName("A backend that is slow once is told of everything that comes")
  void slow() {
    RecordingMetrics metrics = new RecordingMetrics() {
      private boolean was;

      @Override
      public void misbehave(String where) {
        if (where.contains("begins") && !was) {
          was = true;
          long end = System.nanoTime() + 300_000_000;
          while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
          }
        }
      }
    };
    open(metrics);
    Waiting.await(channel.call(EchoService.echo(new byte[1])));
    Waiting.await(channel.call(EchoService.echo(new byte[1])));
    assertThat(metrics.events).filteredOn(event -> event.contains("begins")).hasSizeGreaterThan(1);
  }

  @Test
  @DisplayName("A backend that has no metrics for clients, or cannot make them, is left alone")
  void none() {
    open(new VertxMetrics() {
      @Override
      public ClientMetrics<?, ?, ?> createClientMetrics(SocketAddress remote, String type,
          String namespace) {
        throw new IllegalStateException("on purpose");
      }
    });
    try (LoggedMessages log = new LoggedMessages(BACKEND)) {
      Waiting.await(channel.call(EchoService.echo(new byte[1])));
      assertThat(log.all()).as("more than was said at first").isEmpty();
    }
  }
}
