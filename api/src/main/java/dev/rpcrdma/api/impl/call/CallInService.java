// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCancelledException;
import io.vertx.core.Future;
import java.util.function.Supplier;

/** A call that a service has. */
public interface CallInService extends RpcCall {

  /** Outcome of a call whose service never began, since the caller had gone. Nothing is remembered of such a call. */
  RpcCancelledException NEVER_BEGUN = new RpcCancelledException("The caller has gone before the call began", false);

  /**
   * Runs code of a service, unless the caller has gone. Called on the context that runs the code, behind the last queue
   * that the call waited in. A library hands over a call to another context, or waits for a worker, in front of this.
   *
   * @param call the call
   * @param code the code, which is the service itself or the remaining part of it
   * @param <T> type of the outcome
   * @return the outcome of the code; fails with {@link #NEVER_BEGUN} if the caller has gone
   */
  static <T> Future<T> begin(RpcCall call, Supplier<Future<T>> code) {
    return call instanceof CallInService waiting && waiting.callerGone() ? Future.failedFuture(NEVER_BEGUN)
        : code.get();
  }

  /**
   * Returns whether the caller has cancelled, has no time left or has lost its session. From any thread.
   *
   * @return whether the service must not begin
   */
  boolean callerGone();

  /**
   * Whether nobody waits for it any more; from any thread.
   *
   * @return true also if it was cancelled, or its session is lost
   */
  boolean abandoned();

  /**
   * Until when the calls of its service may take.
   *
   * @return a time of {@link System#nanoTime}; {@link Long#MAX_VALUE} when the call is answered, for what its service
   *     calls then is no part of it
   */
  long deadline();

  /**
   * Gives up those of its service's calls that are a part of it, when nobody waits for it any more.
   *
   * @return null when the call is answered
   */
  CancellationImpl parts();
}
