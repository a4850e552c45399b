// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.protocol.binding.ProgramTable;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Programs that one connection serves. What is bound later is found by the first call that finds no service. On the
 * connection's loop.
 */
final class ServedPrograms {

  private final ProgramTable<BoundService.Served> table = new ProgramTable<>();
  /** Services of the connection's owner, which only become more. */
  private Supplier<List<BoundService>> bound = List::of;
  private Consumer<BoundService> serve = service -> {};
  private int known;
  /** Whether a service has been found late, and in that case the time of the last one in nanoTime. */
  private boolean late;
  private long found;
  private final LongSupplier clock;

  /**
   * Creates a table without programs.
   *
   * @param clock time of the connection, in nanoTime
   */
  ServedPrograms(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * Follows what the connection's owner binds.
   *
   * @param services all that are bound, in their order
   * @param how serves one of them, unless it is served already
   */
  void follow(Supplier<List<BoundService>> services, Consumer<BoundService> how) {
    bound = services;
    serve = how;
  }

  void add(UpperLayerBinding binding, BoundService.Served service) {
    table.add(binding, service);
  }

  /** Tells whether a service has been found at this time or later, so that a verdict of then knows nothing of it. */
  boolean foundSince(long time) {
    return late && found - time >= 0;
  }

  /** Finds what serves a call, or says why nothing does. */
  ProgramTable.Verdict<BoundService.Served> judge(CallHeader call) {
    ProgramTable.Verdict<BoundService.Served> verdict = table.judge(call);
    return verdict instanceof ProgramTable.Refuse<BoundService.Served> && learn() ? table.judge(call) : verdict;
  }

  /** Whether there was anything new. */
  private boolean learn() {
    List<BoundService> all = bound.get();
    int before = known;
    known = all.size();
    all.subList(before, known).forEach(serve);
    if (known > before) {
      late = true;
      found = clock.getAsLong();
    }
    return known > before;
  }
}
