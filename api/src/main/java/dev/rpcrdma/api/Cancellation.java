// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.api.impl.call.CancellationImpl;

/**
 * Gives calls up before they have an outcome. It is handed to them by
 * {@link CallOptions#withCancellation}, to one call or to any number of them, of any channel or
 * connection, by hand-written requests and proxies alike.
 *
 * <pre>{@code
 * Cancellation cancellation = Cancellation.create();
 * BlobStore some = BlobStoreRpcProxy.with(blobs, CallOptions.DEFAULT.withCancellation(cancellation));
 * some.get("film", target).onFailure(e -> …);     // an RpcCancelledException
 * cancellation.cancel();
 * }</pre>
 *
 * <p>It may live as long as the application likes: it keeps nothing of a call that has its outcome.
 * What a cancelled call leaves behind, {@link RpcCancelledException} tells.
 */
public sealed interface Cancellation permits CancellationImpl {

  /**
   * Creates one that has cancelled nothing yet.
   *
   * @return a new one
   */
  static Cancellation create() {
    return new CancellationImpl();
  }

  /**
   * Gives up all calls made with it that have no outcome: they fail with a
   * {@link RpcCancelledException}, each on the context of its caller, and not from inside this method: at once, but
   * that a call which has lent memory waits for the peer to let go of it, for 100 ms at most.
   * A call whose reply has come already keeps it. What is called with it from now on fails at once,
   * and is not sent. May be called from any thread, and again without effect.
   */
  void cancel();

  /**
   * Whether {@link #cancel} has been called.
   *
   * @return true from then on
   */
  boolean isCancelled();
}
