// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.memory;

import dev.rpcrdma.ibverbs.ffi.Numbers;
import dev.rpcrdma.ibverbs.work.Jobs;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.support.GuardedCopy;
import dev.rpcrdma.verbs.support.Upcalls;
import io.vertx.core.AsyncResult;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What the peer of one queue pair can reach. A revocation deregisters first. Where a device goes on to send of
 * deregistered memory for a Read of the peer that it has begun, as software iWARP does, a fence follows: its end tells
 * that nothing which was begun before is still to be sent. Revocations that come while a fence is under way share the
 * next one. On the owning loop.
 */
public final class IbverbsExposures {

  /** What an exposure's connection does for it. */
  public interface Connection {

    /** Whether the peer can be reached. */
    boolean isOpen();

    /** Whether its end has begun, so that nothing can be registered any more. */
    boolean isEnding();

    /** Whether deregistered memory may still be sent. */
    boolean fences();

    /** Posts a fence, whose end is told by {@link IbverbsExposures#fenced}. */
    void fence();

    /** Only the connection's end can end an exposure. */
    void cannotRevoke(String why);

    /** An outcome is there to be told. */
    void turnLater();
  }

  private final PairDomain domain;
  private final Jobs jobs;
  private final Upcalls upcalls;
  private final Connection connection;
  private final Revocations count;
  private final Set<IbverbsExposure> alive = new HashSet<>();
  /** In the order in which that was asked for. */
  private final Set<IbverbsExposure> revoking = new LinkedHashSet<>();
  /** Deregistered, and not covered by the fence that is under way. */
  private List<IbverbsExposure> waiting = new ArrayList<>();
  /** Covered by the fence that is under way. */
  private List<IbverbsExposure> fenced = List.of();
  private boolean fencing;

  /**
   * None yet.
   *
   * @param domain of the queue pair
   * @param jobs that register, off the loop
   * @param upcalls that tell of outcomes
   * @param connection of the queue pair
   * @param count of the device's revocations
   */
  public IbverbsExposures(PairDomain domain, Jobs jobs, Upcalls upcalls, Connection connection, Revocations count) {
    this.domain = domain;
    this.jobs = jobs;
    this.upcalls = upcalls;
    this.connection = connection;
    this.count = count;
  }

  /** How many are alive. */
  public int size() {
    return alive.size();
  }

  /**
   * Exposes a range; told later.
   *
   * @param owner of the consumer
   * @param memory checked
   * @param offset first byte
   * @param length at least 1
   * @param access what the peer may do
   * @return not usable before it is told
   */
  public IbverbsExposure expose(Object owner, SharedMemory memory, int offset, int length, Access access) {
    IbverbsExposure exposure = new IbverbsExposure(this, owner, memory, offset, length, access);
    memory.use();
    alive.add(exposure);
    // A device that may be written to by others may be written to by its own side (InfiniBand, o10-2).
    int flags = access == Access.REMOTE_WRITE ? Numbers.ACCESS_LOCAL_WRITE | Numbers.ACCESS_REMOTE_WRITE
        : Numbers.ACCESS_REMOTE_READ;
    jobs.run(() -> IbverbsRange.of(domain, memory, offset, length, flags), done -> {
      if (done.succeeded()) {
        exposure.range = done.result();
        tell(exposure);
      } else {
        end(exposure);
        // A call that waits for it is sent again over another connection, and not given up.
        failed(exposure, connection.isEnding() ? new VerbsException(Kind.DISCONNECTED, "The connection is going down",
            done.cause()) : (VerbsException) done.cause());
      }
    });
    return exposure;
  }

  /**
   * An exposure that was not made; told later.
   *
   * @param owner of the consumer
   * @param length number of bytes
   * @param why not
   * @return one that has ended
   */
  public IbverbsExposure failed(Object owner, int length, VerbsException why) {
    return failed(new IbverbsExposure(this, owner, null, 0, length, Access.REMOTE_READ), why);
  }

  private IbverbsExposure failed(IbverbsExposure exposure, VerbsException why) {
    exposure.failure = why;
    exposure.ended = true;
    tell(exposure);
    return exposure;
  }

  private void tell(IbverbsExposure exposure) {
    upcalls.exposedLater(exposure);
    connection.turnLater();
  }

  /**
   * Whether an exposure is one of these.
   *
   * @param exposure any of this provider
   * @return false if it is of another queue pair
   */
  public boolean has(IbverbsExposure exposure) {
    return exposure.exposures == this;
  }

  /**
   * Ends an exposure; told later.
   *
   * @param exposure of these, and told of
   */
  public void revoke(IbverbsExposure exposure) {
    exposure.revocations++;
    if (exposure.ended) {
      answer(exposure);
    } else if (exposure.revocations == 1) {
      exposure.revokedAt = System.nanoTime();
      revoking.add(exposure);
      jobs.run(() -> domain.deregister(exposure.range.region()), done -> deregistered(exposure, done));
    }
  }

  /** Whether a revocation is not over. */
  public boolean isRevoking() {
    return !revoking.isEmpty();
  }

  /**
   * Whether a revocation takes long.
   *
   * @param nanos on the clock of {@link System#nanoTime}
   * @return true if one is not over that was begun before
   */
  public boolean isRevokingSince(long nanos) {
    return isRevoking() && revoking.iterator().next().revokedAt - nanos <= 0;
  }

  private void deregistered(IbverbsExposure exposure, AsyncResult<Boolean> done) {
    if (exposure.ended) {
      return;
    }
    if (done.failed()) {
      connection.cannotRevoke(Causes.message(done.cause()));
      return;
    }
    if (!connection.fences()) {
      count.deregistered();
      end(exposure);
      return;
    }
    waiting.add(exposure);
    fence();
  }

  private void fence() {
    if (!fencing && !waiting.isEmpty() && connection.isOpen()) {
      fencing = true;
      fenced = waiting;
      waiting = new ArrayList<>();
      connection.fence();
    }
  }

  /** The fence has passed. */
  public void fenced() {
    fencing = false;
    List<IbverbsExposure> over = fenced;
    fenced = List.of();
    for (IbverbsExposure exposure : over) {
      count.fenced();
      end(exposure);
    }
    fence();
  }

  /** The queue pair and its domain are gone, and with them all that was exposed. */
  public void end() {
    revoking.forEach(exposure -> count.ended());
    List.copyOf(alive).forEach(this::end);
  }

  private void end(IbverbsExposure exposure) {
    if (alive.remove(exposure)) {
      exposure.ended = true;
      revoking.remove(exposure);
      takeBack(exposure);
      exposure.memory.unuse();
      answer(exposure);
    }
  }

  /** What the peer has written is where its consumer looks for it. */
  private void takeBack(IbverbsExposure exposure) {
    try {
      exposure.takeBack();
    } catch (InternalError e) {
      connection.cannotRevoke(GuardedCopy.TRUNCATED);
    }
  }

  private void answer(IbverbsExposure exposure) {
    for (; exposure.revocations > 0; exposure.revocations--) {
      upcalls.revokedLater(exposure);
      connection.turnLater();
    }
  }
}
