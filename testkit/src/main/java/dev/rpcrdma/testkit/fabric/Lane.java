// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.verbs.DisconnectReason;
import java.util.ArrayDeque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * One direction of a connection: what the one end has flushed and the other has not taken yet, in its order. It never
 * has more than the send queue takes, and the end. Safe for all threads.
 */
final class Lane {

  /**
   * What is on its way.
   *
   * @param request a work request; null if this is the end
   * @param end what the end is told; null if this is a work request
   * @param due when it arrives, of {@link System#nanoTime()}, or behind those before it if they come later
   * @param cut whether the connection is cut in the middle of it
   */
  record Item(FabricWorkRequest request, DisconnectReason end, long due, boolean cut) {}

  private final FabricWire wire;
  private final Endpoint to;
  private final MemoryOptions faults;
  private final SplittableRandom random;
  private final Runnable arrival;
  /** The fields from here on are guarded by this lane. */
  private final ArrayDeque<Item> items = new ArrayDeque<>();
  private boolean arriving;
  private boolean ended;
  private boolean dropped;

  Lane(FabricWire wire, Endpoint to, MemoryOptions faults, SplittableRandom random) {
    this.wire = wire;
    this.to = to;
    this.faults = faults;
    this.random = random;
    this.arrival = () -> to.arrive(this);
  }

  /** Sends work requests, unless the end has been sent. */
  synchronized void add(List<FabricWorkRequest> requests) {
    for (FabricWorkRequest request : requests) {
      boolean cut = faults.cutProbability() > 0 && random.nextDouble() < faults.cutProbability();
      put(new Item(request, null, due(), cut));
    }
    wake();
  }

  /** Sends the end, unless it has been sent. */
  synchronized void end(DisconnectReason told) {
    put(new Item(null, told, due(), false));
    ended = true;
    wake();
  }

  private void put(Item item) {
    if (!ended && !dropped) {
      items.add(item);
    }
  }

  private long due() {
    long now = System.nanoTime();
    if (faults.maxDelayMillis() > 0) {
      now += TimeUnit.MILLISECONDS.toNanos(faults.minDelayMillis()) + random.nextLong(
          TimeUnit.MILLISECONDS.toNanos(faults.maxDelayMillis() - faults.minDelayMillis()) + 1);
    }
    return now;
  }

  /** Loses what is on its way, and all that comes. */
  synchronized void drop() {
    dropped = true;
    items.clear();
  }

  /** Has the other end look, if there is something for it. */
  synchronized void wake() {
    if (!arriving && !items.isEmpty() && !wire.isPartitioned()) {
      arriving = true;
      if (!to.execute(arrival)) {
        drop();
        wire.peer(to).lost("The event loop of the peer has ended");
      }
    }
  }

  /** The other end looks now. */
  synchronized void arrived() {
    arriving = false;
  }

  /**
   * What has arrived.
   *
   * @return the oldest item, taken out; null if nothing is due, in which case the other end is woken when it is
   */
  synchronized Item poll() {
    Item head = items.peek();
    if (head == null || wire.isPartitioned()) {
      return null;
    }
    long wait = head.due - System.nanoTime();
    if (wait <= 0) {
      return items.poll();
    }
    if (!arriving) {
      arriving = true;
      to.schedule(arrival, wait);
    }
    return null;
  }
}
