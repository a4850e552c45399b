// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.metrics;

import dev.rpcrdma.api.CallPhase;
import dev.rpcrdma.api.CallSide;
import dev.rpcrdma.api.ProcedureStatistics;
import dev.rpcrdma.api.TimeStatistics;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The calls of one procedure on one side, on one event loop. */
final class ProcedureCalls {

  private static final List<CallPhase> REQUESTER = List.of(
      CallPhase.WHOLE, CallPhase.CREDIT, CallPhase.REGISTRATION, CallPhase.REPLY, CallPhase.SERVER,
      CallPhase.CALLBACK);
  private static final List<CallPhase> RESPONDER =
      List.of(CallPhase.WHOLE, CallPhase.ARRIVAL, CallPhase.SERVICE);

  /** Which calls. */
  record Key(CallSide side, String program, int version, String procedure) {}

  /** The times of one phase, in nanoseconds. */
  private static final class Times {

    /** Grows to what it gets, at two significant digits. */
    private final Histogram histogram = new Histogram(2);
    private long total;

    void add(long nanos) {
      long positive = Math.max(0, nanos);
      histogram.recordValue(positive);
      total += positive;
    }

    void add(Times other) {
      histogram.add(other.histogram);
      total += other.total;
    }

    TimeStatistics toSnapshot() {
      return new TimeStatistics(histogram.getTotalCount(), Duration.ofNanos(total),
          Duration.ofNanos(histogram.getValueAtPercentile(50)), Duration.ofNanos(histogram.getValueAtPercentile(99)),
          Duration.ofNanos(histogram.getMaxValue()));
    }
  }

  private final Key key;
  private final Times[] times = new Times[CallPhase.values().length];
  private long calls;
  private long failures;

  ProcedureCalls(Key key) {
    this.key = key;
    for (CallPhase phase : phases()) {
      times[phase.ordinal()] = new Times();
    }
  }

  private List<CallPhase> phases() {
    return key.side() == CallSide.REQUESTER ? REQUESTER : RESPONDER;
  }

  boolean isOf(CallSide side, String program, int version, String procedure) {
    return key.side() == side && key.version() == version && key.procedure().equals(procedure)
        && key.program().equals(program);
  }

  CallSide side() {
    return key.side();
  }

  void ended(boolean success, long nanos) {
    calls++;
    failures += success ? 0 : 1;
    add(CallPhase.WHOLE, nanos);
  }

  void add(CallPhase phase, long nanos) {
    times[phase.ordinal()].add(nanos);
  }

  /** Adds those of another event loop. */
  void add(ProcedureCalls other) {
    calls += other.calls;
    failures += other.failures;
    phases().forEach(phase -> times[phase.ordinal()].add(other.times[phase.ordinal()]));
  }

  ProcedureCalls copy() {
    ProcedureCalls copy = new ProcedureCalls(key);
    copy.add(this);
    return copy;
  }

  ProcedureStatistics toSnapshot() {
    Map<CallPhase, TimeStatistics> all = new EnumMap<>(CallPhase.class);
    phases().forEach(phase -> all.put(phase, times[phase.ordinal()].toSnapshot()));
    return new ProcedureStatistics(key.side(), key.program(), key.version(), key.procedure(), calls, failures,
        Map.copyOf(all));
  }
}
