// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.loop;

import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;

/** Futures belong to the context of whoever asks. */
public final class CallerContext {

  private CallerContext() {}

  /** The current context, or another one outside of Vert.x. */
  public static ContextInternal orElse(ContextInternal fallback) {
    ContextInternal caller = ContextInternal.current();
    return caller == null ? fallback : caller;
  }

  /** A promise whose future completes on the current context, or on another one outside of Vert.x. */
  public static <T> Promise<T> promise(ContextInternal fallback) {
    return orElse(fallback).promise();
  }
}
