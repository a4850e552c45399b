package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.protocol.requester.CallHandle;
import io.vertx.core.internal.ContextInternal;

/** What makes calls, and can give them up: a channel, or a connection by itself. */
public interface CallMaker {

  /** For what its calls leave open. */
  RpcOptions<?> options();

  /** Of its event loop. */
  ContextInternal context();

  /** Why the last attempt to connect has failed; null if none has. */
  Throwable connectFailure();

  /**
   * Gives a call up, unless it has its outcome; on the loop.
   *
   * @param handle what making the call has returned
   */
  void cancel(CallHandle handle);
}
