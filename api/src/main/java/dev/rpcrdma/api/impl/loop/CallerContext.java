// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.loop;

import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;

/** Futures belong to the context of whoever asks. */
public final class CallerContext {

  private CallerContext() {}

  /** The current context, or another one outside of Vert.x. */
  public static Context orElse(Context fallback) {
    Context caller = Vertx.currentContext();
    return caller == null ? fallback : caller;
  }

  /** A promise whose future completes on the current context, or on another one outside of Vert.x. */
  public static <T> Promise<T> promise(Context fallback) {
    return Contexts.promise(orElse(fallback));
  }
}
