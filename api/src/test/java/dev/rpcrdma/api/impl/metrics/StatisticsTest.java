// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.CallPhase;
import dev.rpcrdma.api.CallSide;
import dev.rpcrdma.api.MessageStatistics;
import dev.rpcrdma.api.ProcedureStatistics;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcStatistics;
import dev.rpcrdma.api.StatisticsSnapshot;
import dev.rpcrdma.api.TimeStatistics;
import dev.rpcrdma.api.TrafficStatistics;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.api.micrometer.RpcMeterBinder;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls by procedure and side: how many, and where their time goes. */
class StatisticsTest {

  private static final String ECHO = "0x20060099";

  private final Vertx vertx = Vertx.vertx();
  private final EchoService service = new EchoService();
  private final RpcStatistics ofClient = RpcStatistics.create();
  private final RpcStatistics ofServer = RpcStatistics.create();
  private RpcServer server;
  private RpcChannel channel;

  @BeforeEach
  void open() {
    server = RpcServer.builder(vertx).withStatistics(ofServer).build().bind(service);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    channel = RpcClient.builder(vertx).with(new RpcClientOptions().setForwardCredits(1))
        .withStatistics(ofClient).build()
        .channel(SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private static Optional<ProcedureStatistics> find(RpcStatistics statistics, String procedure) {
    return Waiting.await(statistics.snapshot()).procedures().stream()
        .filter(calls -> calls.procedure().equals(procedure)).findFirst();
  }

  private static ProcedureStatistics of(RpcStatistics statistics, String procedure) {
    return find(statistics, procedure).orElseThrow();
  }

  private static TrafficStatistics traffic(RpcStatistics statistics) {
    return Waiting.await(statistics.snapshot()).traffic();
  }

  @Test
  @DisplayName("Each side counts its calls, and those that failed")
  void counts() {
    for (int i = 0; i < 10; i++) {
      Waiting.await(channel.call(EchoService.echo(new byte[1])));
    }
    Waiting.awaitFailure(channel.call(EchoService.call(EchoService.STATUS)));
    ProcedureStatistics made = of(ofClient, "ECHO");
    assertThat(made.side()).isEqualTo(CallSide.REQUESTER);
    assertThat(made.program()).isEqualTo(ECHO);
    assertThat(made.version()).isEqualTo(1);
    assertThat(made.calls()).isEqualTo(10);
    assertThat(made.failures()).isZero();
    assertThat(made.times()).containsOnlyKeys(CallPhase.WHOLE, CallPhase.CREDIT, CallPhase.REGISTRATION,
        CallPhase.REPLY, CallPhase.SERVER, CallPhase.CALLBACK).allSatisfy((phase, time) ->
        assertThat(time.count()).as("%s", phase).isEqualTo(phase == CallPhase.REGISTRATION ? 0 : 10));
    Waiting.await(channel.call(EchoService.echo(new byte[100_000])));
    assertThat(of(ofClient, "ECHO").times().get(CallPhase.REGISTRATION).count()).isEqualTo(1);
    ProcedureStatistics served = of(ofServer, "ECHO");
    assertThat(served.side()).isEqualTo(CallSide.RESPONDER);
    assertThat(served.calls()).isEqualTo(11);
    assertThat(served.times()).containsOnlyKeys(CallPhase.WHOLE, CallPhase.ARRIVAL, CallPhase.SERVICE);
    assertThat(of(ofClient, "STATUS").failures()).isEqualTo(1);
    assertThat(of(ofServer, "STATUS").failures()).isEqualTo(1);
  }

  @Test
  @DisplayName("Time goes where it is spent: in the service, and for whoever waits for a credit")
  void phases() {
    Waiting.await(channel.connect());
    Future<Void> first = channel.call(EchoService.call(EchoService.NEVER));
    Waiting.until(() -> service.never.size() == 1);
    Future<Void> second = channel.call(EchoService.call(EchoService.NEVER));
    long began = System.nanoTime();
    // The second one waits for a credit by then.
    Waiting.await(channel.snapshot());
    Waiting.await(vertx.timer(30));
    service.never.get(0).complete(XdrEncoder.VOID);
    Waiting.until(() -> service.never.size() == 2);
    service.never.get(1).complete(XdrEncoder.VOID);
    Waiting.await(Future.all(first, second));
    Duration atMost = Duration.ofNanos(System.nanoTime() - began).plusMillis(1_000);
    Map<CallPhase, TimeStatistics> made = of(ofClient, "NEVER").times();
    // Percentiles are exact to two digits.
    Duration least = Duration.ofMillis(29);
    assertThat(made.get(CallPhase.CREDIT).max()).isBetween(least, atMost);
    assertThat(made.get(CallPhase.CREDIT).p50()).isLessThan(made.get(CallPhase.CREDIT).p99());
    assertThat(made.get(CallPhase.REPLY).max()).isBetween(least, atMost);
    assertThat(made.get(CallPhase.WHOLE).total()).isGreaterThanOrEqualTo(made.get(CallPhase.REPLY).total());
    assertThat(of(ofServer, "NEVER").times().get(CallPhase.SERVICE).max()).isBetween(least, atMost);
    assertThat(made.get(CallPhase.SERVER).max()).isBetween(least, made.get(CallPhase.REPLY).max());
  }

  @Test
  @DisplayName("A service that never answers has its call counted when nobody waits any more")
  void neverAnswered() {
    // A call that has no time left is not served.
    for (Duration timeout = Duration.ofMillis(100); service.never.isEmpty(); timeout = timeout.multipliedBy(2)) {
      Waiting.awaitFailure(channel.call(RpcRequest.to(EchoService.BINDING, EchoService.NEVER)
          .options(CallOptions.DEFAULT.withTimeout(timeout)).build()));
    }
    Waiting.until(() -> find(ofServer, "NEVER").map(ProcedureStatistics::failures).orElse(0L) == 1);
    service.never.get(0).complete(XdrEncoder.VOID);
    assertThat(of(ofServer, "NEVER").calls()).isEqualTo(1);
  }

  @Test
  @DisplayName("Connections are counted, with what went through those that have ended")
  void connections() {
    Waiting.await(channel.call(EchoService.echo(new byte[100_000])));
    TrafficStatistics up = traffic(ofClient);
    assertThat(up.connections()).isEqualTo(1);
    assertThat(up.connectionsEnded()).isZero();
    assertThat(up.messages().sentLong() + up.messages().readChunks() + up.messages().positionZeroChunks()).isPositive();
    Waiting.await(channel.close());
    TrafficStatistics ended = traffic(ofClient);
    assertThat(ended.connections()).isZero();
    assertThat(ended.connectionsEnded()).isEqualTo(1);
    assertThat(ended.messages().bytesSent()).isGreaterThanOrEqualTo(up.messages().bytesSent());
    Waiting.until(() -> traffic(ofServer).connectionsEnded() == 1);
    assertThat(traffic(ofServer).callsServed()).isPositive();
  }

  @Test
  @DisplayName("Calls of a program without a binding are counted by their numbers, and together if they are many")
  void numbers() {
    for (int procedure = 0; procedure < 1030; procedure++) {
      Waiting.awaitFailure(channel.call(RpcRequest.to(7, 1, procedure).withoutBinding()
          .options(CallOptions.DEFAULT).build()));
    }
    assertThat(of(ofClient, "17").program()).isEqualTo("0x7");
    assertThat(Waiting.await(ofClient.snapshot()).procedures()).hasSizeLessThanOrEqualTo(1025);
    assertThat(of(ofClient, "others").calls()).isPositive();
  }

  @Test
  @DisplayName("Micrometer sees each procedure as soon as there are calls of it, whenever it is bound")
  void micrometer() {
    SimpleMeterRegistry early = new SimpleMeterRegistry();
    SimpleMeterRegistry late = new SimpleMeterRegistry();
    try (RpcMeterBinder binder = new RpcMeterBinder(vertx, ofClient, Duration.ofMillis(5))) {
      binder.bindTo(early);
      Waiting.await(channel.call(EchoService.echo(new byte[1])));
      Waiting.awaitFailure(channel.call(EchoService.call(EchoService.STATUS)));
      Waiting.until(() -> early.find("rpcrdma.calls").tag("procedure", "STATUS").functionCounter() != null);
      binder.bindTo(late);
      for (SimpleMeterRegistry registry : new SimpleMeterRegistry[] {early, late}) {
        assertThat(registry.get("rpcrdma.calls").tags("side", "requester", "program", ECHO, "version", "1",
            "procedure", "ECHO", "outcome", "success").functionCounter().count()).isEqualTo(1);
        assertThat(registry.get("rpcrdma.calls").tags("procedure", "STATUS", "outcome", "failure").functionCounter()
            .count()).isEqualTo(1);
        assertThat(registry.get("rpcrdma.call.time").tags("procedure", "ECHO", "phase", "reply").functionTimer()
            .count()).isEqualTo(1);
        assertThat(registry.get("rpcrdma.call.time.percentile").tags("procedure", "ECHO", "phase", "whole",
            "percentile", "0.99").timeGauge().value()).isPositive();
        assertThat(registry.get("rpcrdma.connections").gauge().value()).isEqualTo(1);
        assertThat(registry.get("rpcrdma.messages").tag("form", "inline").functionCounter().count()).isPositive();
      }
    }
  }

  /** Fails if {@code RpcMeterBinder.bindTraffic} shows one number by the name of another. */
  @Test
  @DisplayName("Each meter of connections shows its own number")
  void metersOfConnections() {
    MessageStatistics messages = new MessageStatistics(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    StatisticsSnapshot snapshot =
        new StatisticsSnapshot(List.of(), new TrafficStatistics(11, 12, 13, 14, 15, messages, 16));
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (RpcMeterBinder binder =
        new RpcMeterBinder(vertx, () -> Future.succeededFuture(snapshot), Duration.ofMillis(1))) {
      binder.bindTo(registry);
      Waiting.until(() -> registry.get("rpcrdma.connections").gauge().value() > 0);
      Map<String, Double> values = new TreeMap<>();
      registry.forEachMeter(meter -> values.put(Stream.concat(Stream.of(meter.getId().getName()),
          meter.getId().getTags().stream().map(Tag::getValue)).collect(Collectors.joining(" ")),
          meter.measure().iterator().next().getValue()));
      assertThat(values).containsExactlyInAnyOrderEntriesOf(Map.ofEntries(entry("rpcrdma.connections", 11.0),
          entry("rpcrdma.connections.ended", 12.0), entry("rpcrdma.replays", 15.0), entry("rpcrdma.polls", 16.0),
          entry("rpcrdma.messages inline", 1.0), entry("rpcrdma.messages long", 2.0),
          entry("rpcrdma.messages read-chunk", 3.0), entry("rpcrdma.messages position-zero-chunk", 4.0),
          entry("rpcrdma.messages write-chunk", 5.0), entry("rpcrdma.messages reply-chunk", 6.0),
          entry("rpcrdma.messages pulled-reply", 7.0), entry("rpcrdma.messages provided-reply", 8.0),
          entry("rpcrdma.bytes sent", 9.0), entry("rpcrdma.bytes received", 10.0)));
    }
  }

  private static FunctionCounter echoes(SimpleMeterRegistry registry, String... tags) {
    return registry.find("rpcrdma.calls").tags("procedure", "ECHO", "outcome", "success").tags(tags).functionCounter();
  }

  /** Fails if {@code RpcMeterBinder.close} leaves meters of what is gone, or removes those of another binder. */
  @Test
  @DisplayName("A binder that is closed leaves no meters, so that the next one shows what it sees")
  void binderOfTheNextDeployment() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    registry.counter("application");
    Waiting.await(channel.call(EchoService.echo(new byte[1])));
    RpcMeterBinder first = new RpcMeterBinder(vertx, ofClient, Duration.ofMillis(5));
    first.bindTo(registry);
    Waiting.until(() -> echoes(registry) != null);
    int meters = registry.getMeters().size();
    RpcMeterBinder inTheWay = new RpcMeterBinder(vertx, ofServer, Duration.ofMillis(5));
    inTheWay.bindTo(registry);
    inTheWay.close();
    assertThat(registry.find("rpcrdma.connections").gauge()).as("of the first binder").isNotNull();
    first.close();
    first.close();
    assertThat(registry.getMeters()).as("of %d", meters).singleElement()
        .matches(meter -> meter.getId().getName().equals("application"));
    assertThatThrownBy(() -> first.bindTo(registry)).isInstanceOf(IllegalStateException.class);
    RpcStatistics ofNext = RpcStatistics.create();
    try (RpcMeterBinder next = new RpcMeterBinder(vertx, ofNext, Duration.ofMillis(5))) {
      next.bindTo(registry);
      RpcChannel other = RpcClient.builder(vertx).withStatistics(ofNext).build()
          .channel(SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
      for (int i = 0; i < 3; i++) {
        Waiting.await(other.call(EchoService.echo(new byte[1])));
      }
      Waiting.until(() -> echoes(registry) != null && echoes(registry).count() == 3);
    }
  }

  /** Fails if a meter lacks the tags of its binder. */
  @Test
  @DisplayName("Two binders show what they see in one registry, each with its tags")
  void tagsOfBinders() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    Waiting.await(channel.call(EchoService.echo(new byte[1])));
    Waiting.awaitFailure(channel.call(EchoService.call(EchoService.STATUS)));
    try (RpcMeterBinder client = new RpcMeterBinder(vertx, ofClient, Duration.ofMillis(5), Tags.of("of", "client"));
        RpcMeterBinder server = new RpcMeterBinder(vertx, ofServer, Duration.ofMillis(5), Tags.of("of", "server"))) {
      client.bindTo(registry);
      server.bindTo(registry);
      Waiting.until(() -> echoes(registry, "of", "client", "side", "requester") != null
          && echoes(registry, "of", "server", "side", "responder") != null);
      assertThat(registry.getMeters()).allMatch(meter -> meter.getId().getTag("of") != null);
      assertThat(registry.find("rpcrdma.connections").gauges()).hasSize(2);
    }
    assertThat(registry.getMeters()).isEmpty();
  }
}
