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
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.vertx.core.Vertx;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
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
 * <p>A registry has one meter of each name and tags. Close a binder before the next one takes its place, such as when a
 * verticle is deployed again. Give binders of one registry different tags if they are open at a time. A binder whose
 * meters the registry has already shows nothing there, and logs a warning.
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

  private static final Logger LOG = LoggerFactory.getLogger(RpcMeterBinder.class);
  private static final StatisticsSnapshot NOTHING = new StatisticsSnapshot(List.of(), TrafficStatistics.NONE);

  private record Key(CallSide side, String program, int version, String procedure) {

    static Key of(ProcedureStatistics calls) {
      return new Key(calls.side(), calls.program(), calls.version(), calls.procedure());
    }

    Tags tags(Tags common) {
      return common.and("side", side.name().toLowerCase(Locale.ROOT), "program", program,
          "version", Integer.toUnsignedString(version), "procedure", procedure);
    }
  }

  private record Registered(MeterRegistry registry, Meter meter) {}

  /** A registry, and what it had before this binder added meters. */
  private final class Target {
    private final MeterRegistry registry;
    private final Set<Meter> before;

    Target(MeterRegistry registry) {
      this.registry = registry;
      this.before = new HashSet<>(registry.getMeters());
    }

    /** Takes what the registry gave for a new meter, which is the one that it had if there was one. */
    void own(Meter meter) {
      if (!before.contains(meter)) {
        registered.add(new Registered(registry, meter));
      } else if (!warned) {
        warned = true;
        LOG.warn("The registry already has the meter " + meter.getId().getName() + " " + meter.getId().getTags()
            + ", which does not show these statistics. Close the binder that has added it, or give tags to this one.");
      }
    }
  }

  private final RpcStatistics statistics;
  private final Vertx vertx;
  private final long timer;
  private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();
  private final Set<Key> shown = ConcurrentHashMap.newKeySet();
  private final Tags tags;
  /** Meters that this binder has added to registries. */
  private final List<Registered> registered = new ArrayList<>();
  private boolean closed;
  private boolean warned;
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
    this(vertx, statistics, interval, Tags.empty());
  }

  /**
   * Creates a binder whose meters have tags of their own.
   *
   * @param vertx whose timer is used
   * @param statistics what to show
   * @param interval how often to look, at least a millisecond
   * @param tags of each meter, beside those of the table
   */
  public RpcMeterBinder(Vertx vertx, RpcStatistics statistics, Duration interval, Iterable<Tag> tags) {
    this.tags = Tags.of(tags);
    this.vertx = vertx;
    this.statistics = statistics;
    this.timer = vertx.setPeriodic(interval.toMillis(), id -> look());
  }

  /** Removes the meters that this binder has added. Further calls have no effect. */
  @Override
  public synchronized void close() {
    closed = true;
    vertx.cancelTimer(timer);
    registered.forEach(each -> each.registry().remove(each.meter()));
    registered.clear();
    registries.clear();
  }

  private void look() {
    statistics.snapshot().onSuccess(this::show);
  }

  private synchronized void show(StatisticsSnapshot snapshot) {
    if (closed) {
      return;
    }
    latest = snapshot;
    Map<Key, ProcedureStatistics> byKey = new ConcurrentHashMap<>();
    snapshot.procedures().forEach(calls -> byKey.put(Key.of(calls), calls));
    procedures = byKey;
    for (ProcedureStatistics calls : snapshot.procedures()) {
      if (shown.add(Key.of(calls))) {
        registries.forEach(registry -> bind(new Target(registry), calls));
      }
    }
  }

  /**
   * Adds meters to a registry.
   *
   * @param registry gets the meters of connections now, and those of a procedure after its first call
   * @throws IllegalStateException if this binder is closed
   */
  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    if (closed) {
      throw new IllegalStateException("The binder is closed");
    }
    registries.add(registry);
    Target target = new Target(registry);
    bindTraffic(target);
    latest.procedures().forEach(calls -> bind(target, calls));
  }

  private void bindTraffic(Target target) {
    target.own(Gauge.builder("rpcrdma.connections", this, binder -> binder.latest.traffic().connections())
        .description("RDMA connections that are up").tags(tags).register(target.registry));
    count(target, "rpcrdma.connections.ended", Tags.empty(), TrafficStatistics::connectionsEnded);
    count(target, "rpcrdma.replays", Tags.empty(), TrafficStatistics::replays);
    count(target, "rpcrdma.polls", Tags.empty(), TrafficStatistics::polls);
    count(target, "rpcrdma.bytes", Tags.of("direction", "sent"), traffic -> traffic.messages().bytesSent());
    count(target, "rpcrdma.bytes", Tags.of("direction", "received"), traffic -> traffic.messages().bytesReceived());
    form(target, "inline", traffic -> traffic.messages().sentInline());
    form(target, "long", traffic -> traffic.messages().sentLong());
    form(target, "read-chunk", traffic -> traffic.messages().readChunks());
    form(target, "position-zero-chunk", traffic -> traffic.messages().positionZeroChunks());
    form(target, "write-chunk", traffic -> traffic.messages().writeChunks());
    form(target, "reply-chunk", traffic -> traffic.messages().replyChunks());
    form(target, "pulled-reply", traffic -> traffic.messages().pulledReplies());
    form(target, "provided-reply", traffic -> traffic.messages().providedReplies());
  }

  private void form(Target target, String form, ToDoubleFunction<TrafficStatistics> value) {
    count(target, "rpcrdma.messages", Tags.of("form", form), value);
  }

  private void count(Target target, String name, Tags own, ToDoubleFunction<TrafficStatistics> value) {
    target.own(FunctionCounter.builder(name, this, binder -> value.applyAsDouble(binder.latest.traffic()))
        .tags(this.tags.and(own)).register(target.registry));
  }

  private void bind(Target target, ProcedureStatistics calls) {
    Key key = Key.of(calls);
    outcome(target, key, "success", of -> of.calls() - of.failures());
    outcome(target, key, "failure", ProcedureStatistics::failures);
    for (CallPhase phase : calls.times().keySet()) {
      Tags all = key.tags(tags).and("phase", phase.name().toLowerCase(Locale.ROOT));
      target.own(FunctionTimer.builder("rpcrdma.call.time", this, binder -> binder.time(key, phase).count(),
          binder -> binder.time(key, phase).total().toNanos(), TimeUnit.NANOSECONDS).tags(all)
          .register(target.registry));
      percentile(target, key, phase, all.and("percentile", "0.5"), TimeStatistics::p50);
      percentile(target, key, phase, all.and("percentile", "0.99"), TimeStatistics::p99);
    }
  }

  private void outcome(Target target, Key key, String outcome, ToDoubleFunction<ProcedureStatistics> value) {
    target.own(FunctionCounter.builder("rpcrdma.calls", this, binder -> {
      ProcedureStatistics calls = binder.procedures.get(key);
      return calls == null ? 0 : value.applyAsDouble(calls);
    }).tags(key.tags(tags).and("outcome", outcome)).register(target.registry));
  }

  private void percentile(Target target, Key key, CallPhase phase, Tags all,
      Function<TimeStatistics, Duration> value) {
    target.own(TimeGauge.builder("rpcrdma.call.time.percentile", this, TimeUnit.NANOSECONDS,
        binder -> value.apply(binder.time(key, phase)).toNanos()).tags(all).register(target.registry));
  }

  private TimeStatistics time(Key key, CallPhase phase) {
    ProcedureStatistics calls = procedures.get(key);
    return calls == null ? new TimeStatistics(0, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO)
        : calls.times().get(phase);
  }
}
