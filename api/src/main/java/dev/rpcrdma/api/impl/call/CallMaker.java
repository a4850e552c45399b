package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.api.RpcOptions;
import io.vertx.core.internal.ContextInternal;

/** What makes calls: a channel, or a connection by itself. */
public interface CallMaker {

  /** For what its calls leave open. */
  RpcOptions<?> options();

  /** Of its event loop. */
  ContextInternal context();

  /** Why the last attempt to connect has failed; null if none has. */
  Throwable connectFailure();
}
