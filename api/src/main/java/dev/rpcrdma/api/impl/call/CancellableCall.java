package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.protocol.wire.Metadata;
import dev.rpcrdma.protocol.xdr.PayloadStream;
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

  private CancellableCall(RpcRequest<T> request, PayloadStream arguments, Promise<T> promise, Metadata metadata,
      CallInService part, CancellationImpl cancellation, EventLoop loop) {
    super(request, arguments, promise, metadata, part == null ? Long.MAX_VALUE : part.deadline());
    this.cancellation = cancellation;
    this.whole = part == null ? null : part.parts();
    this.loop = loop;
  }

  /**
   * From now on it can be given up, even before it is made.
   *
   * @param part what it is a part of; null if of nothing
   * @param cancellation its caller's; null if it has none
   */
  static <T> CancellableCall<T> begin(RpcRequest<T> request, PayloadStream arguments, Promise<T> promise,
      Metadata metadata, CallInService part, CancellationImpl cancellation, EventLoop loop) {
    CancellableCall<T> call =
        new CancellableCall<>(request, arguments, promise, metadata, part, cancellation, loop);
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

  private static boolean isCancelled(CancellationImpl cancellation) {
    return cancellation != null && cancellation.isCancelled();
  }
}
