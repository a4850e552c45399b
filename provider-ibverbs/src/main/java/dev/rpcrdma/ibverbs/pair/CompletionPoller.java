// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.pair;

import dev.rpcrdma.ibverbs.completion.CompletionQueue;
import dev.rpcrdma.ibverbs.ffi.NativeException;
import dev.rpcrdma.verbs.support.BusyPoller;
import dev.rpcrdma.verbs.support.Upcalls;
import io.netty.channel.EventLoop;

/**
 * Takes what the device has completed, in batches, each in a turn of its connection: when an event tells of it, or in
 * each iteration of the loop while that is kept awake, which needs no events. On the owning loop.
 */
final class CompletionPoller implements BusyPoller.Source {

  /** The connection whose completions they are. */
  interface Owner {

    /** Whether completions are still taken. */
    boolean polls();

    /**
     * A work request is over.
     *
     * @param request its name
     * @param status a number of {@code enum ibv_wc_status}
     * @param length how many bytes a message has
     */
    void completed(long request, int status, int length);

    /** All of a turn was told. */
    void endTurn();

    /** The device tells of no more completions. */
    void cannotBeUsed(NativeException why);
  }

  private final EventLoop loop;
  private final CompletionQueue completions;
  private final Upcalls upcalls;
  private final Owner owner;
  private final long awakeNanos;
  private boolean pollScheduled;
  /** The loop, which is kept awake, looks in each of its iterations. */
  private boolean lookedAt;

  /**
   * Polls nothing yet.
   *
   * @param completions of both queues of the owner
   * @param upcalls of the owner
   * @param awakeNanos for how long the loop is kept awake after anything has moved; 0 for never
   */
  CompletionPoller(EventLoop loop, CompletionQueue completions, Upcalls upcalls, Owner owner, long awakeNanos) {
    this.loop = loop;
    this.completions = completions;
    this.upcalls = upcalls;
    this.owner = owner;
    this.awakeNanos = awakeNanos;
  }

  /** Polls with each event from now on. The first is raised when all was polled that is there. */
  void listen() {
    completions.listen(this::poll, owner::cannotBeUsed);
  }

  /** Events are of no interest any more. */
  void deafen() {
    completions.deafen();
  }

  /** Takes what the device has completed, and has it raise an event for the next unless the loop looks anyway. */
  void poll() {
    if (!owner.polls()) {
      return;
    }
    upcalls.beginTurn();
    boolean more = false;
    try {
      more = takeBatch();
      if (!more && !isLookedAt()) {
        completions.arm();
        // What came between the last look and the event that was asked for raises none.
        more = takeBatch();
      }
    } catch (NativeException e) {
      owner.cannotBeUsed(e);
    }
    owner.endTurn();
    if (more) {
      pollLater();
    }
  }

  private boolean isLookedAt() {
    lookedAt = lookedAt || awakeNanos > 0 && BusyPoller.lookAt(this);
    return lookedAt;
  }

  private void pollLater() {
    if (!pollScheduled) {
      pollScheduled = true;
      loop.execute(() -> {
        pollScheduled = false;
        poll();
      });
    }
  }

  @Override
  public boolean look() {
    if (!owner.polls()) {
      return false;
    }
    try {
      int found = completions.poll();
      if (found > 0) {
        upcalls.beginTurn();
        completed(found);
        owner.endTurn();
      }
    } catch (NativeException e) {
      owner.cannotBeUsed(e);
    }
    return true;
  }

  @Override
  public void rest() {
    lookedAt = false;
    poll();
  }

  /** Whether there may be more. */
  private boolean takeBatch() throws NativeException {
    int found = completions.poll();
    if (found > 0) {
      completed(found);
    }
    return CompletionQueue.isFull(found);
  }

  private void completed(int found) {
    for (int i = 0; i < found; i++) {
      owner.completed(completions.request(i), completions.status(i), completions.length(i));
    }
    stayAwake();
  }

  /** Something has moved, and more may come soon. */
  void stayAwake() {
    if (awakeNanos > 0) {
      BusyPoller.moved(loop, this, awakeNanos);
    }
  }
}
