// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.metrics;

import dev.rpcrdma.api.CallSide;
import dev.rpcrdma.api.MessageStatistics;
import dev.rpcrdma.api.TrafficStatistics;
import dev.rpcrdma.protocol.fabric.Counters;
import dev.rpcrdma.verbs.support.BusyPoller;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The statistics of one event loop, on which all of it happens. */
public final class LoopStatistics {

  /** What goes beyond is counted together: numbers of programs without a binding are anybody's. */
  private static final int MAX_PROCEDURES = 1024;
  private static final String OTHERS = "others";
  /** A power of two. */
  private static final int RECENT = 64;
  /** One of so many is timed by the clock. */
  private static final int TIMED = 16;

  private final EventLoop loop;
  private final Map<ProcedureCalls.Key, ProcedureCalls> procedures = new LinkedHashMap<>();
  private final List<Counters> connections = new ArrayList<>();
  private TrafficStatistics ended = TrafficStatistics.NONE;
  private final Sampling timed = new Sampling(TIMED);
  private long replays;
  /** The procedures that were asked for last, so that nothing is made for asking again. */
  private final ProcedureCalls[] recent = new ProcedureCalls[RECENT];

  LoopStatistics(EventLoop loop) {
    this.loop = loop;
  }

  /** Whether the next thing that is over in no time is timed all the same. */
  boolean timesNext() {
    return timed.next();
  }

  EventLoop loop() {
    return loop;
  }

  /** What was gathered, for another thread. */
  static final class Copy {

    private final Map<ProcedureCalls.Key, ProcedureCalls> procedures = new LinkedHashMap<>();
    private TrafficStatistics traffic = TrafficStatistics.NONE;

    Map<ProcedureCalls.Key, ProcedureCalls> procedures() {
      return procedures;
    }

    TrafficStatistics traffic() {
      return traffic;
    }

    void add(Copy other) {
      traffic = traffic.plus(other.traffic);
      other.procedures.forEach((key, calls) -> procedures.computeIfAbsent(key, ProcedureCalls::new).add(calls));
    }
  }

  Copy copy() {
    Copy copy = new Copy();
    procedures.forEach((key, calls) -> copy.procedures.put(key, calls.copy()));
    copy.traffic = ended;
    connections.forEach(counters -> copy.traffic = copy.traffic.plus(traffic(counters, 1, 0)));
    copy.traffic = copy.traffic.plus(
        new TrafficStatistics(0, 0, 0, 0, replays, MessageStatistics.NONE, BusyPoller.begun()));
    return copy;
  }

  private static TrafficStatistics traffic(Counters counters, int up, int over) {
    return new TrafficStatistics(up, over, counters.callsSent(), counters.callsServed(), 0, messages(counters), 0);
  }

  /** Those of a connection. */
  public static MessageStatistics messages(Counters counters) {
    return new MessageStatistics(counters.sentInline(), counters.sentLong(), counters.readChunks(),
        counters.positionZeroChunks(), counters.writeChunks(), counters.replyChunks(), counters.pulledReplies(),
        counters.providedReplies(), counters.bytesSent(), counters.bytesReceived());
  }

  /** Those of a procedure. */
  ProcedureCalls of(CallSide side, String program, int version, String procedure) {
    int place = (procedure.hashCode() + 31 * version + side.ordinal()) & RECENT - 1;
    ProcedureCalls found = recent[place];
    if (found == null || !found.isOf(side, program, version, procedure)) {
      found = find(side, program, version, procedure);
      recent[place] = found;
    }
    return found;
  }

  private ProcedureCalls find(CallSide side, String program, int version, String procedure) {
    ProcedureCalls.Key key = new ProcedureCalls.Key(side, program, version, procedure);
    ProcedureCalls known = procedures.get(key);
    if (known == null && procedures.size() >= MAX_PROCEDURES) {
      key = new ProcedureCalls.Key(side, OTHERS, 0, OTHERS);
    }
    return known != null ? known : procedures.computeIfAbsent(key, ProcedureCalls::new);
  }

  /** A connection is up. */
  public void connected(Counters counters) {
    connections.add(counters);
  }

  /** It has ended. */
  public void disconnected(Counters counters) {
    // The same one, not one with the same numbers.
    connections.removeIf(other -> other == counters);
    ended = ended.plus(traffic(counters, 0, 1));
  }

  /** Calls were sent again. */
  public void replayed(long calls) {
    replays += calls;
  }
}
