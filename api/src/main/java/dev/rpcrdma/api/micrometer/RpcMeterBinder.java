// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.micrometer;

import dev.rpcrdma.api.CallPhase;
import dev.rpcrdma.api.CallSide;
import dev.rpcrdma.api.ProcedureStatistics;
import dev.rpcrdma.api.RpcStatistics;
import dev.rpcrdma.api.StatisticsSnapshot;
import dev.rpcrdma.api.TimeStatistics;
import dev.rpcrdma.api.TrafficStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Shows a {@link RpcStatistics} to Micrometer. What meters say is as old as the last look at the statistics, which are
 * looked at regularly. Thread-safe.
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>Name</th><th>Tags</th><th>What</th></tr>
 * <tr><td>{@code rpcrdma.calls}</td><td>side, program, version, procedure, outcome</td><td>calls</td></tr>
 * <tr><td>{@code rpcrdma.call.time}</td><td>side, program, version, procedure, phase</td><td>count and sum</td></tr>
 * <tr><td>{@code rpcrdma.call.time.percentile}</td><td>those, and percentile (0.5, 0.99)</td><td>a time</td></tr>
 * <tr><td>{@code rpcrdma.messages}</td><td>form</td><td>messages and chunks by form</td></tr>
 * <tr><td>{@code rpcrdma.bytes}</td><td>direction (sent, received)</td><td>payload bytes</td></tr>
 * <tr><td>{@code rpcrdma.connections}</td><td></td><td>connections that are up</td></tr>
 * <tr><td>{@code rpcrdma.connections.ended}, {@code rpcrdma.replays}, {@code rpcrdma.polls}</td><td></td>
 *     <td>counts</td></tr>
 * </table>
 */
@SuppressWarnings("exports") // Micrometer is optional: only who has it can name this class
public final class RpcMeterBinder implements MeterBinder, AutoCloseable {

  private static final StatisticsSnapshot NOTHING = new StatisticsSnapshot(List.of(), TrafficStatistics.NONE);

  private record Key(CallSide side, String program, int version, String procedure) {

    static Key of(ProcedureStatistics calls) {
      return new Key(calls.side(), calls.program(), calls.version(), calls.procedure());
    }

    Tags tags() {
      return Tags.of("side", side.name().toLowerCase(Locale.ROOT), "program", program,
          "version", Integer.toUnsignedString(version), "procedure", procedure);
    }
  }

  private final RpcStatistics statistics;
  private final Vertx vertx;
  private final long timer;
  private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();
  private final Set<Key> shown = ConcurrentHashMap.newKeySet();
  private volatile StatisticsSnapshot latest = NOTHING;
  private volatile Map<Key, ProcedureStatistics> procedures = Map.of();

  /**
   * Creates a binder that looks once a second.
   *
   * @param vertx whose timer is used
   * @param statistics what to show
   */
  public RpcMeterBinder(Vertx vertx, RpcStatistics statistics) {
    this(vertx, statistics, Duration.ofSeconds(1));
  }

  /**
   * Creates a binder.
   *
   * @param vertx whose timer is used
   * @param statistics what to show
   * @param interval how often to look, at least a millisecond
   */
  public RpcMeterBinder(Vertx vertx, RpcStatistics statistics, Duration interval) {
    this.vertx = vertx;
    this.statistics = statistics;
    this.timer = vertx.setPeriodic(interval.toMillis(), id -> look());
  }

  /** Shows nothing new from now on; meters keep what they show. */
  @Override
  public void close() {
    vertx.cancelTimer(timer);
  }

  private void look() {
    statistics.snapshot().onSuccess(this::show);
  }

  private synchronized void show(StatisticsSnapshot snapshot) {
    latest = snapshot;
    Map<Key, ProcedureStatistics> byKey = new ConcurrentHashMap<>();
    snapshot.procedures().forEach(calls -> byKey.put(Key.of(calls), calls));
    procedures = byKey;
    for (ProcedureStatistics calls : snapshot.procedures()) {
      if (shown.add(Key.of(calls))) {
        registries.forEach(registry -> bind(registry, calls));
      }
    }
  }

  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    registries.add(registry);
    bindTraffic(registry);
    latest.procedures().forEach(calls -> bind(registry, calls));
  }

  private void bindTraffic(MeterRegistry registry) {
    Gauge.builder("rpcrdma.connections", this, binder -> binder.latest.traffic().connections())
        .description("RDMA connections that are up").register(registry);
    count(registry, "rpcrdma.connections.ended", Tags.empty(), TrafficStatistics::connectionsEnded);
    count(registry, "rpcrdma.replays", Tags.empty(), TrafficStatistics::replays);
    count(registry, "rpcrdma.polls", Tags.empty(), TrafficStatistics::polls);
    count(registry, "rpcrdma.bytes", Tags.of("direction", "sent"), TrafficStatistics::bytesSent);
    count(registry, "rpcrdma.bytes", Tags.of("direction", "received"), TrafficStatistics::bytesReceived);
    form(registry, "inline", TrafficStatistics::sentInline);
    form(registry, "long", TrafficStatistics::sentLong);
    form(registry, "read-chunk", TrafficStatistics::readChunks);
    form(registry, "position-zero-chunk", TrafficStatistics::positionZeroChunks);
    form(registry, "write-chunk", TrafficStatistics::writeChunks);
    form(registry, "reply-chunk", TrafficStatistics::replyChunks);
    form(registry, "pulled-reply", TrafficStatistics::pulledReplies);
    form(registry, "provided-reply", TrafficStatistics::providedReplies);
  }

  private void form(MeterRegistry registry, String form, ToDoubleFunction<TrafficStatistics> value) {
    count(registry, "rpcrdma.messages", Tags.of("form", form), value);
  }

  private void count(MeterRegistry registry, String name, Tags tags, ToDoubleFunction<TrafficStatistics> value) {
    FunctionCounter.builder(name, this, binder -> value.applyAsDouble(binder.latest.traffic()))
        .tags(tags).register(registry);
  }

  private void bind(MeterRegistry registry, ProcedureStatistics calls) {
    Key key = Key.of(calls);
    outcome(registry, key, "success", of -> of.calls() - of.failures());
    outcome(registry, key, "failure", ProcedureStatistics::failures);
    for (CallPhase phase : calls.times().keySet()) {
      Tags tags = key.tags().and("phase", phase.name().toLowerCase(Locale.ROOT));
      FunctionTimer.builder("rpcrdma.call.time", this, binder -> binder.time(key, phase).count(),
          binder -> binder.time(key, phase).total().toNanos(), TimeUnit.NANOSECONDS).tags(tags).register(registry);
      percentile(registry, key, phase, tags.and("percentile", "0.5"), TimeStatistics::p50);
      percentile(registry, key, phase, tags.and("percentile", "0.99"), TimeStatistics::p99);
    }
  }

  private void outcome(MeterRegistry registry, Key key, String outcome, ToDoubleFunction<ProcedureStatistics> value) {
    FunctionCounter.builder("rpcrdma.calls", this, binder -> {
      ProcedureStatistics calls = binder.procedures.get(key);
      return calls == null ? 0 : value.applyAsDouble(calls);
    }).tags(key.tags().and("outcome", outcome)).register(registry);
  }

  private void percentile(MeterRegistry registry, Key key, CallPhase phase, Tags tags,
      Function<TimeStatistics, Duration> value) {
    TimeGauge.builder("rpcrdma.call.time.percentile", this, TimeUnit.NANOSECONDS,
        binder -> value.apply(binder.time(key, phase)).toNanos()).tags(tags).register(registry);
  }

  private TimeStatistics time(Key key, CallPhase phase) {
    ProcedureStatistics calls = procedures.get(key);
    return calls == null ? new TimeStatistics(0, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO)
        : calls.times().get(phase);
  }
}
