// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.api.RpcCall;

/** A call that a service has. */
public interface CallInService extends RpcCall {

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
