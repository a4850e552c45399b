// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import io.vertx.core.Completable;
import io.vertx.core.net.Address;
import io.vertx.core.net.endpoint.Endpoint;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Looks the endpoint of one address up, at once if it is known. Those who have to wait do so in the order in which they
 * have asked, and so do those who ask while others wait: calls of one key do not overtake each other here. From any
 * thread.
 */
final class Resolution {

  /** Who asks. */
  interface Waiter {

    /**
     * The answer, on whatever thread it becomes known. Throws nothing.
     *
     * @param endpoint null if there is none
     * @param failure why there is none
     */
    void resolved(Endpoint endpoint, Throwable failure);
  }

  /** What becomes of who asks. */
  enum Asked {
    /** It has the answer. */
    ANSWERED,
    /** It waits. */
    WAITS,
    /** As many wait as may. */
    FULL,
    /** Nobody is answered any more. */
    CLOSED
  }

  private final Address address;
  private final Addresses addresses;
  private final int most;
  private final Runnable drained;
  /** Guarded by this. */
  private final Set<Waiter> waiting = new LinkedHashSet<>();
  /** What those wait for; guarded by this, null if nobody does. */
  private Answer awaited;
  /** Guarded by this. */
  private boolean closed;

  /**
   * Creates one that nobody has asked yet.
   *
   * @param most how many may wait
   * @param drained is run when there is room again, after there was little
   */
  Resolution(Address address, Addresses addresses, int most, Runnable drained) {
    this.address = address;
    this.addresses = addresses;
    this.most = most;
    this.drained = drained;
  }

  /** Asks; who waits is answered later, unless it is {@linkplain #remove removed} before. */
  Asked ask(Waiter waiter) {
    synchronized (this) {
      if (closed) {
        return Asked.CLOSED;
      }
      if (awaited != null) {
        return add(waiter);
      }
    }
    Answer answer = new Answer();
    try {
      addresses.lookUp(address, answer);
    } catch (Throwable e) {
      // Errors too: a resolver's code may be another jar's.
      waiter.resolved(null, e);
      return Asked.ANSWERED;
    }
    synchronized (this) {
      if (!answer.known) {
        if (closed) {
          return Asked.CLOSED;
        }
        if (awaited == null) {
          awaited = answer;
        }
        return add(waiter);
      }
    }
    waiter.resolved(answer.endpoint, answer.failure);
    return Asked.ANSWERED;
  }

  private Asked add(Waiter waiter) {
    if (waiting.size() >= most) {
      return Asked.FULL;
    }
    waiting.add(waiter);
    return Asked.WAITS;
  }

  /** It waits no longer; tells whether it did, so that it will not be answered. */
  boolean remove(Waiter waiter) {
    boolean left;
    boolean room;
    synchronized (this) {
      left = waiting.remove(waiter);
      room = left && waiting.size() == most / 2;
    }
    if (room) {
      drained.run();
    }
    return left;
  }

  /** Whether so many wait that others had better not. */
  synchronized boolean isFull() {
    return waiting.size() > most / 2;
  }

  /** Answers nobody any more; tells who waited. */
  synchronized List<Waiter> close() {
    closed = true;
    List<Waiter> all = List.copyOf(waiting);
    waiting.clear();
    return all;
  }

  /** Those who ask from now on ask anew: a call that is repeated at once is not told of the failure once more. */
  private void refuse(Throwable failure) {
    List<Waiter> all;
    synchronized (this) {
      awaited = null;
      all = List.copyOf(waiting);
      waiting.clear();
    }
    all.forEach(waiter -> waiter.resolved(null, failure));
    if (all.size() > most / 2) {
      drained.run();
    }
  }

  private void answer(Endpoint endpoint) {
    while (true) {
      Waiter next;
      boolean room;
      synchronized (this) {
        Iterator<Waiter> all = waiting.iterator();
        if (!all.hasNext()) {
          awaited = null;
          return;
        }
        next = all.next();
        all.remove();
        room = waiting.size() == most / 2;
      }
      next.resolved(endpoint, null);
      if (room) {
        drained.run();
      }
    }
  }

  private final class Answer implements Completable<Endpoint> {

    /** Guarded by the resolution, until it is known. */
    private boolean known;
    private Endpoint endpoint;
    private Throwable failure;

    @Override
    public void complete(Endpoint result, Throwable cause) {
      synchronized (Resolution.this) {
        known = true;
        endpoint = result;
        failure = cause;
        if (awaited != this) {
          return;
        }
      }
      if (cause == null) {
        answer(result);
      } else {
        refuse(cause);
      }
    }
  }
}
