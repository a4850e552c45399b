// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import io.vertx.core.Context;

/** What makes calls: a channel, or a connection by itself. */
public interface CallMaker {

  /** How its calls are made. */
  CallPolicy policy();

  /** Of its event loop. */
  Context context();

  /** One of its calls has its outcome. */
  default void callEnded() {}

  /** The time, as of what is being done. */
  long now();

  /** Why the last attempt to connect has failed; null if none has. */
  Throwable connectFailure();
}
