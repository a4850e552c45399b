package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.api.impl.metrics.CallMeter;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import io.vertx.core.internal.ContextInternal;

/** What makes calls: a channel, or a connection by itself. */
public interface CallMaker {

  /** For what its calls leave open. */
  RpcOptions<?> options();

  /** Of its event loop. */
  ContextInternal context();

  /** One of its calls has its outcome. */
  default void callEnded() {}

  /** What its calls have that say nothing of who makes them. */
  OpaqueAuth credentials();

  /** Watches its calls; null if nobody does. */
  CallMeter meter();

  /** The time, as of what is being done. */
  long now();

  /** Why the last attempt to connect has failed; null if none has. */
  Throwable connectFailure();
}
