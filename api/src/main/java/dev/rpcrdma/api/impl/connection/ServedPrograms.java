// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.protocol.binding.ProgramTable;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Programs that one connection serves. The next call finds what has been bound meanwhile, and does not find what has
 * been unbound. On the connection's loop.
 */
final class ServedPrograms {

  private final ProgramTable<BoundService.Served> table = new ProgramTable<>();
  /** Services of the connection's owner. */
  private Supplier<List<BoundService>> bound = List::of;
  private Predicate<BoundService> serve = service -> false;
  private Consumer<BoundService> unserve = service -> { };
  /** The owner's services when they were last looked at. */
  private List<BoundService> seen = List.of();
  /** Those among them that this connection serves, and not another service of the same program. */
  private final Set<BoundService> served = new HashSet<>();
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
   * Serves what the connection's owner binds, from now on.
   *
   * @param services all that are bound; another list whenever something has changed
   * @param added serves one of them; false if another service has its program
   * @param removed ends that
   */
  void follow(Supplier<List<BoundService>> services, Predicate<BoundService> added, Consumer<BoundService> removed) {
    bound = services;
    serve = added;
    unserve = removed;
    learn(services.get());
  }

  /** Serves a program from now on; a call that is on its way has not been judged by its rule. */
  void add(UpperLayerBinding binding, BoundService.Served service) {
    table.add(binding, service);
    late = true;
    found = clock.getAsLong();
  }

  void remove(UpperLayerBinding binding) {
    table.remove(binding);
  }

  /** Tells whether a service has been found at this time or later, so that a verdict of then knows nothing of it. */
  boolean foundSince(long time) {
    return late && found - time >= 0;
  }

  /** Finds what serves a call, or says why nothing does. */
  ProgramTable.Verdict<BoundService.Served> judge(CallHeader call) {
    look();
    return table.judge(call);
  }

  /** Looks for what has been bound or unbound. */
  void look() {
    List<BoundService> now = bound.get();
    if (now != seen) {
      learn(now);
    }
  }

  private void learn(List<BoundService> now) {
    List<BoundService> before = seen;
    seen = now;
    served.removeIf(service -> {
      boolean gone = !now.contains(service);
      if (gone) {
        unserve.accept(service);
      }
      return gone;
    });
    for (BoundService service : now) {
      if (!before.contains(service) && serve.test(service)) {
        served.add(service);
      }
    }
  }
}
