package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.protocol.wire.Metadata;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import io.netty.channel.EventLoop;
import io.vertx.core.Promise;
import java.util.concurrent.RejectedExecutionException;

/**
 * A call that its caller may give up. What that takes is kept here, so that the many that nobody will
 * give up do not have it.
 *
 * @param <T> the type of the results
 */
final class CancellableCall<T> extends EncodedCall<T> implements Cancellable {

  private final CancellationImpl cancellation;
  private final EventLoop loop;

  private CancellableCall(RpcRequest<T> request, PayloadStream arguments, Promise<T> promise,
      Metadata metadata, CancellationImpl cancellation, EventLoop loop) {
    super(request, arguments, promise, metadata);
    this.cancellation = cancellation;
    this.loop = loop;
  }

  /** From now on it can be given up, even before it is made. */
  static <T> CancellableCall<T> begin(RpcRequest<T> request, PayloadStream arguments,
      Promise<T> promise, Metadata metadata, CancellationImpl cancellation, EventLoop loop) {
    CancellableCall<T> call =
        new CancellableCall<>(request, arguments, promise, metadata, cancellation, loop);
    cancellation.add(call);
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
    if (cancellation.isCancelled()) {
      fail(CallOutcome.neverMade(request()));
      return false;
    }
    return super.begin(by);
  }

  @Override
  public void ended() {
    cancellation.remove(this);
  }
}
