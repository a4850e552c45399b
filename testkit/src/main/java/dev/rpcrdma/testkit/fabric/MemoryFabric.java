// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import io.vertx.core.Vertx;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where the {@code memory} devices of one Vert.x instance are attached: the handle by which a test makes trouble on its
 * connections while they are in use. It concerns each connection that has an end in the instance, whatever instance the
 * other end is in. Methods return at once, whatever is under way, and may be called from any thread.
 *
 * <pre>{@code
 * MemoryFabric fabric = MemoryFabric.of(vertx);
 * fabric.cutAfter(10);
 * }</pre>
 */
public final class MemoryFabric {

  /** Guarded by itself. */
  private static final Map<Vertx, MemoryFabric> FABRICS = new WeakHashMap<>();

  private final Set<FabricWire> wires = ConcurrentHashMap.newKeySet();
  private final Set<FabricConnecting> held = ConcurrentHashMap.newKeySet();
  private final AtomicLong untilCut = new AtomicLong();
  private final AtomicInteger refusals = new AtomicInteger();
  private volatile boolean partitioned;

  private MemoryFabric() {}

  /**
   * The handle of an instance.
   *
   * @param vertx the instance
   * @return always the same one
   */
  public static MemoryFabric of(Vertx vertx) {
    synchronized (FABRICS) {
      return FABRICS.computeIfAbsent(Objects.requireNonNull(vertx, "vertx"), first -> new MemoryFabric());
    }
  }

  /**
   * How many connections there are: those that have come up, and of which not both ends are gone.
   *
   * @return a snapshot
   */
  public int connections() {
    return wires.size();
  }

  /**
   * Cuts all connections. What is on its way is lost, and both ends of each are told soon.
   *
   * @return how many there were
   */
  public int cut() {
    int count = 0;
    for (FabricWire wire : wires) {
      wire.cut();
      count++;
    }
    return count;
  }

  /**
   * Cuts all connections once, in the middle of a message that is to come. The first half of its bytes is placed, and
   * nothing of it is told. What was asked for before is forgotten.
   *
   * @param messages how many Sends, Writes and Reads are carried before that one, on all connections together; at
   *     least 0, and {@link Long#MAX_VALUE} for no cut
   * @throws IllegalArgumentException if it is negative
   */
  public void cutAfter(long messages) {
    untilCut.set(Math.min(notNegative(messages), Long.MAX_VALUE - 1) + 1);
  }

  /**
   * Lets nothing pass any more, without telling anybody: connections stay as they are, and connects wait until their
   * deadlines. A close does not wait for longer than {@link MemoryOptions#closeTimeoutMillis()}; the other end is told
   * of it by {@link #heal()}.
   */
  public void partition() {
    partitioned = true;
  }

  /** Ends a partition: what was held back goes on in its order. */
  public void heal() {
    partitioned = false;
    wires.forEach(FabricWire::wake);
    held.forEach(FabricConnecting::retry);
  }

  /**
   * Has connects of this instance find nobody.
   *
   * @param connects how many of the next ones; 0 for none any more
   * @throws IllegalArgumentException if it is negative
   */
  public void refuse(int connects) {
    refusals.set((int) notNegative(connects));
  }

  private static long notNegative(long count) {
    if (count < 0) {
      throw new IllegalArgumentException("A count must not be negative, as " + count + " is");
    }
    return count;
  }

  boolean isPartitioned() {
    return partitioned;
  }

  /**
   * Counts a work request that has arrived. If all connections are to be cut, all others are.
   *
   * @return whether its own connection is to be cut in its middle
   */
  boolean cutsAt(FabricWire wire) {
    boolean due = untilCut.getAndUpdate(left -> Math.max(0, left - 1)) == 1;
    if (due) {
      wires.stream().filter(other -> other != wire).forEach(FabricWire::cut);
    }
    return due;
  }

  /** A connect is due; whether it finds nobody. */
  boolean refusesNext() {
    return refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  void add(FabricWire wire) {
    wires.add(wire);
  }

  void remove(FabricWire wire) {
    wires.remove(wire);
  }

  /** Has a connect tried again when the partition ends. */
  void hold(FabricConnecting connecting) {
    held.add(connecting);
    if (!partitioned) {
      // The partition may have ended before this one was there.
      connecting.retry();
    }
  }

  /** How many connects wait for the end of the partition, for tests. */
  int heldConnects() {
    return held.size();
  }

  void release(FabricConnecting connecting) {
    held.remove(connecting);
  }
}
