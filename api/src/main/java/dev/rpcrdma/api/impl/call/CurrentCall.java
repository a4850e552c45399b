// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.verbs.vertx.ServiceAtStart;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.spi.context.storage.ContextLocal;

/**
 * Keeps the call that a context serves in a context local. Vert.x loads it as a service while it
 * starts, because locals must be known before the first context is made.
 */
public final class CurrentCall extends ServiceAtStart {

  private static final ContextLocal<CallInService> LOCAL = ContextLocal.registerLocal(CallInService.class);

  /** Called by Vert.x. */
  public CurrentCall() {}

  /**
   * Refuses a Vert.x that has not loaded this when it started.
   *
   * @param context one of its contexts
   * @throws IllegalStateException if it has no place for the call
   */
  public static void check(Context context) {
    try {
      context.getLocal(LOCAL);
    } catch (RuntimeException e) {
      throw new IllegalStateException("This Vert.x has not found " + CurrentCall.class.getName() + " in a file"
          + " META-INF/services/io.vertx.core.spi.VertxServiceProvider when it was made: a jar that has others in it"
          + " merges their service files, and a class loader that Vert.x is made by shows it those of vertx-rpcrdma",
          e);
    }
  }

  /**
   * See {@link RpcCall#current()}.
   *
   * @return the call
   */
  public static RpcCall get() {
    CallInService call = find();
    if (call == null) {
      throw new IllegalStateException("No call is being served on this context");
    }
    return call;
  }

  /** The call that the current context serves; null if it serves none. */
  static CallInService find() {
    Context context = Vertx.currentContext();
    return context == null ? null : context.getLocal(LOCAL);
  }

  /**
   * Makes another context serve the call that the current one serves, if there is one.
   *
   * @param duplicate the context, of which nobody else has a part
   */
  public static void serveOn(Context duplicate) {
    CallInService call = find();
    if (call != null) {
      set(duplicate, call);
    }
  }

  /**
   * Makes a context serve a call.
   *
   * @param duplicate the context, of which nobody else has a part
   * @param call the call
   */
  public static void set(Context duplicate, CallInService call) {
    duplicate.putLocal(LOCAL, call);
  }
}
