// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import io.netty.channel.EventLoop;
import io.vertx.core.Promise;
import java.util.concurrent.RejectedExecutionException;

/**
 * A call that its caller may give up, or that is a part of one that is being served, and given up with that. What that
 * takes is kept here, so that the many that nobody will give up do not have it.
 *
 * @param <T> the type of the results
 */
final class CancellableCall<T> extends EncodedCall<T> implements Cancellable {

  /** Null if its caller has none. */
  private final CancellationImpl cancellation;
  /** That of the call which it is a part of; null if it is none of any. */
  private final CancellationImpl whole;
  private final EventLoop loop;

  private CancellableCall(Source<T> source, Promise<T> promise, CancellationImpl cancellation,
      CancellationImpl whole, EventLoop loop) {
    super(source, promise);
    this.cancellation = cancellation;
    this.whole = whole;
    this.loop = loop;
  }

  /**
   * From now on it can be given up, even before it is made.
   *
   * @param cancellation its caller's; null if it has none
   * @param whole that of the call which it is a part of; null if it is none of any
   */
  static <T> CancellableCall<T> begin(Source<T> source, Promise<T> promise, CancellationImpl cancellation,
      CancellationImpl whole, EventLoop loop) {
    CancellableCall<T> call = new CancellableCall<>(source, promise, cancellation, whole, loop);
    if (cancellation != null) {
      cancellation.add(call);
    }
    if (call.whole != null) {
      call.whole.add(call);
    }
    return call;
  }

  /**
   * From any thread; does its work in a turn of the loop of its own. Whoever cancels is often told of
   * the outcome of another call just then, in the middle of what the machine does with all of them.
   */
  @Override
  public void giveUp() {
    try {
      // One that has not been made yet will not be.
      loop.execute(() -> cancel(System.nanoTime()));
    } catch (RejectedExecutionException e) {
      // The loop has ended, and with it whatever it knew of this call. Others have loops of their own.
    }
  }

  @Override
  public boolean begin(CallMaker by) {
    if (!super.begin(by)) {
      return false;
    }
    if (isCancelled(cancellation) || isCancelled(whole)) {
      fail(CallOutcome.neverMade(request()));
      return false;
    }
    return true;
  }

  @Override
  public void ended() {
    super.ended();
    if (cancellation != null) {
      cancellation.remove(this);
    }
    if (whole != null) {
      whole.remove(this);
    }
  }

  static boolean isCancelled(CancellationImpl cancellation) {
    return cancellation != null && cancellation.isCancelled();
  }
}
