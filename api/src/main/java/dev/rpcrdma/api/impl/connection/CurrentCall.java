package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.RpcCall;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxBootstrap;
import io.vertx.core.spi.VertxServiceProvider;
import io.vertx.core.spi.context.storage.ContextLocal;

/**
 * Keeps the call that a context serves in a context local. Vert.x loads it as a service while it
 * starts, because locals must be known before the first context is made.
 */
public final class CurrentCall implements VertxServiceProvider {

  private static final ContextLocal<RpcCall> LOCAL = ContextLocal.registerLocal(RpcCall.class);

  /** Called by Vert.x. */
  public CurrentCall() {}

  @Override
  public void init(VertxBootstrap bootstrap) {
    // Loading the class has registered the local.
  }

  /**
   * See {@link RpcCall#current()}.
   *
   * @return the call
   */
  public static RpcCall get() {
    Context context = Vertx.currentContext();
    RpcCall call = context == null ? null : context.getLocal(LOCAL);
    if (call == null) {
      throw new IllegalStateException("No call is being served on this context");
    }
    return call;
  }

  static void set(Context duplicate, RpcCall call) {
    duplicate.putLocal(LOCAL, call);
  }
}
