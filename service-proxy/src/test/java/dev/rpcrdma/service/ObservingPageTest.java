// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallPhase;
import dev.rpcrdma.api.ChannelSnapshot;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcStatistics;
import dev.rpcrdma.api.health.RpcHealthChecks;
import dev.rpcrdma.api.micrometer.RpcMeterBinder;
import dev.rpcrdma.service.fixture.OrderDesk;
import dev.rpcrdma.service.fixture.Orders;
import dev.rpcrdma.testkit.ManualPage;
import dev.rpcrdma.testkit.Waiting;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.metrics.MetricsOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.VertxMetricsFactory;
import io.vertx.core.spi.metrics.ClientMetrics;
import io.vertx.core.spi.metrics.PoolMetrics;
import io.vertx.core.spi.metrics.VertxMetrics;
import io.vertx.core.tracing.TracingPolicy;
import io.vertx.ext.healthchecks.HealthChecks;
import io.vertx.tracing.opentelemetry.OpenTelemetryTracingFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The code and the tables of docs/observing.md. */
class ObservingPageTest {

  private static final ManualPage PAGE = ManualPage.of("observing.md");

  private Vertx vertx;
  private RpcServer server;
  private RpcChannel channel;

  @AfterEach
  void close() {
    if (vertx != null) {
      Waiting.await(vertx.close());
    }
  }

  private void open(Vertx within, RpcServer made, RpcClient client) {
    vertx = within;
    server = made.bind(Orders.class, new OrderDesk());
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    channel = client.channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
  }

  private void open(Vertx within) {
    open(within, RpcServer.create(within), RpcClient.create(within));
  }

  private void callAndFail() {
    Orders orders = channel.proxy(Orders.class);
    Waiting.await(orders.place("tea", 1));
    Waiting.awaitFailure(orders.place("nothing", 0));
  }

  /** The names of a column, which stand between grave accents. */
  private static Set<String> named(String heading, int column) {
    return PAGE.rows(heading).stream().map(row -> row.get(column))
        .flatMap(cell -> Arrays.stream(cell.split(", "))).map(name -> name.replace("`", ""))
        .filter(name -> !name.isEmpty()).collect(Collectors.toCollection(TreeSet::new));
  }

  /** Notes the names of what it is asked for. */
  private static final class Names implements VertxMetrics {

    private final Set<String> types = new ConcurrentSkipListSet<>();
    private final Set<String> uris = new ConcurrentSkipListSet<>();

    @Override
    public ClientMetrics<?, ?, ?> createClientMetrics(SocketAddress remote, String type, String namespace) {
      types.add(type);
      return new ClientMetrics<Object, Object, Object>() {
        @Override
        public void requestBegin(Object metric, String uri, Object request) {
          uris.add(namespace + " " + uri);
        }
      };
    }

    @Override
    public PoolMetrics<?, ?> createPoolMetrics(String type, String name, int maxSize) {
      if (type.startsWith("rpcrdma")) {
        types.add(type);
      }
      return new PoolMetrics<Object, Object>() {};
    }
  }

  private static Vertx measured(VertxMetricsFactory backend) {
    Vertx vertx = Vertx.builder()
        .with(new VertxOptions().setMetricsOptions(new MetricsOptions().setEnabled(true)))
        .withMetrics(backend).build();
    return vertx;
  }

  @Test
  @DisplayName("Vert.x's metrics have the names of the page")
  void metrics() {
    Names names = new Names();
    Vertx within = measured(options -> names);
    RpcClientOptions options = new RpcClientOptions().setMetricsName("orders");
    open(within, RpcServer.create(within), RpcClient.create(within, options));
    Waiting.await(Waiting.await(channel.connect()).allocate(100_000)).release();
    callAndFail();
    assertThat(named("Metrics of Vert.x", 0)).isEqualTo(names.types);
    assertThat(names.uris).contains("orders Orders/place");
  }

  @Test
  @DisplayName("Statistics have the phases of the page, and Micrometer its meters")
  void statistics() {
    Vertx vertx = Vertx.vertx();
    RpcStatistics statistics = RpcStatistics.create();
    RpcServer server = RpcServer.builder(vertx).withStatistics(statistics).build();
    RpcClient client = RpcClient.builder(vertx).withStatistics(statistics).build();
    open(vertx, server, client);
    callAndFail();
    MeterRegistry registry = new SimpleMeterRegistry();
    RpcMeterBinder binder = new RpcMeterBinder(vertx, statistics);
    binder.bindTo(registry);
    Waiting.until(() -> registry.find("rpcrdma.calls").tag("outcome", "success").functionCounter() != null);
    statistics.snapshot().onSuccess(snapshot -> snapshot.procedures().forEach(calls -> System.out.println(
        calls.side() + " " + calls.program() + "/" + calls.procedure() + ": " + calls.calls() + " calls, "
            + calls.failures() + " failed, 99 of 100 within " + calls.times().get(CallPhase.WHOLE).p99())));
    Set<String> phases = new TreeSet<>();
    Waiting.await(statistics.snapshot()).procedures().forEach(calls -> calls.times().keySet().forEach(
        phase -> phases.add(phase + " " + calls.side().name().toLowerCase(Locale.ROOT))));
    Set<String> said = new TreeSet<>();
    PAGE.rows("Statistics").forEach(row -> Arrays.stream(row.get(1).split(", ")).forEach(
        side -> said.add(row.get(0).replace("`", "") + " " + side)));
    assertThat(said).isEqualTo(phases);
    Set<String> meters = new TreeSet<>();
    for (Meter meter : registry.getMeters()) {
      meters.add(meter.getId().getName() + " "
          + meter.getId().getTags().stream().map(Tag::getKey).sorted().collect(Collectors.joining(", ")));
    }
    Set<String> tabled = new TreeSet<>();
    PAGE.rows("Micrometer").forEach(row -> Arrays.stream(row.get(0).split(", ")).forEach(
        name -> tabled.add((name + " " + row.get(1)).replace("`", ""))));
    assertThat(tabled).isEqualTo(meters);
    binder.close();
  }

  private static Vertx traced(OpenTelemetry openTelemetry) {
    Vertx vertx = Vertx.builder().withTracer(new OpenTelemetryTracingFactory(openTelemetry)).build();
    return vertx;
  }

  @Test
  @DisplayName("Spans have the attributes of the page")
  void tracing() {
    InMemorySpanExporter spans = InMemorySpanExporter.create();
    OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
        .setTracerProvider(SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(spans)).build())
        .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance())).build();
    Vertx vertx = traced(sdk);
    RpcClientOptions options = new RpcClientOptions().setTracingPolicy(TracingPolicy.ALWAYS);
    open(vertx, RpcServer.create(vertx), RpcClient.create(vertx, options));
    Waiting.await(channel.proxy(Orders.class).place("tea", 1));
    Waiting.until(() -> of(spans).size() == 2);
    assertThat(of(spans)).extracting(SpanData::getKind).containsExactlyInAnyOrder(SpanKind.CLIENT, SpanKind.SERVER);
    assertThat(of(spans)).extracting(SpanData::getTraceId).as("one trace").containsOnly(of(spans).get(0).getTraceId());
    for (SpanData span : of(spans)) {
      Set<String> attributes = new TreeSet<>();
      span.getAttributes().forEach((key, value) -> attributes.add(key.getKey()));
      Set<String> said = new TreeSet<>();
      PAGE.rows("Tracing").stream().filter(row -> List.of("both", span.getKind().name()).contains(row.get(1)))
          .forEach(row -> said.addAll(List.of(row.get(0).replace("`", "").split(", "))));
      assertThat(said).as("%s", span.getKind()).isEqualTo(attributes);
    }
  }

  private static List<SpanData> of(InMemorySpanExporter spans) {
    return spans.getFinishedSpanItems().stream().filter(span -> span.getName().equals("Orders/place")).toList();
  }

  @Test
  @DisplayName("Health checks and snapshots show what they are said to show")
  void health() {
    open(Vertx.vertx());
    HealthChecks checks = HealthChecks.create(vertx)
        .register("orders", RpcHealthChecks.channel(channel))
        .register("server", RpcHealthChecks.server(server));
    assertThat(Waiting.await(checks.checkStatus()).getUp()).isTrue();
    Future<ChannelSnapshot> ofChannel = channel.snapshot();
    assertThat(Waiting.await(ofChannel).connected()).isTrue();
    assertThat(Waiting.await(channel.connect().compose(RpcConnection::snapshot)).provider()).isEqualTo("siw");
    assertThat(Waiting.await(server.snapshot()).connections()).hasSize(1);
    Waiting.await(server.close());
    Waiting.until(() -> !Waiting.await(channel.snapshot()).connected());
    assertThat(Waiting.await(checks.checkStatus()).getUp()).isFalse();
  }

  @Test
  @DisplayName("Handlers hear of a connection that is up, and why it ended")
  void upAndDown() {
    open(Vertx.vertx());
    BlockingQueue<String> log = new LinkedBlockingQueue<>();
    channel.upHandler(connection -> log.add("up: " + connection.remoteAddress()))
        .downHandler(reason -> log.add("down: " + reason.getMessage()));
    Waiting.await(channel.connect());
    assertThat(Waiting.next(log)).startsWith("up: 127.0.0.1:");
    Waiting.await(server.close());
    assertThat(Waiting.next(log)).startsWith("down: ");
  }

  @Test
  @DisplayName("All code of the page is compiled")
  void page() {
    assertThat(PAGE.notIn(Path.of("src/test/java/dev/rpcrdma/service/ObservingPageTest.java"))).isEmpty();
  }
}
