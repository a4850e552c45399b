// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.impl.call.Backlog;
import dev.rpcrdma.api.impl.call.Interceptors;
import dev.rpcrdma.api.impl.replies.ReplyEstimate;
import dev.rpcrdma.api.impl.replies.ReplyEstimates;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.function.Function;

/**
 * A service and the context it runs on.
 *
 * @param binding its program
 * @param factory the service of one connection
 * @param context calls are dispatched to duplicates of it
 * @param replies how long its replies are, whichever connection they go to
 * @param backlog calls of all connections that wait for the service
 */
public record BoundService(UpperLayerBinding binding, Function<RpcConnection, RpcService> factory,
    Context context, ReplyEstimates replies, Backlog backlog) {

  /** One that has made no replies yet. */
  public BoundService(UpperLayerBinding binding, Function<RpcConnection, RpcService> factory,
      Context context) {
    this(binding, factory, context, ReplyEstimates.of(binding), new Backlog());
  }

  /** A service that serves all connections, bound on the current context if there is one. */
  public static BoundService shared(RpcService service, Context fallback) {
    return new BoundService(service.binding(), connection -> service, currentOr(fallback));
  }

  /** The current context, or another one outside of Vert.x. */
  public static Context currentOr(Context fallback) {
    Context current = Vertx.currentContext();
    return current == null ? fallback : Contexts.unwrap(current);
  }

  /** Whether this serves that version of the program. */
  boolean serves(UpperLayerBinding other) {
    return binding.program() == other.program() && binding.version() == other.version();
  }

  /** What one connection needs, with what stands around services there. */
  Served on(RpcConnection connection, Interceptors interceptors) {
    RpcService service = factory.apply(connection);
    return new Served(service instanceof ControlProgram ? service : interceptors.around(service), context,
        replies, backlog);
  }

  /** A service on one connection. */
  record Served(RpcService service, Context context, ReplyEstimates replies, Backlog backlog) {

    /** Returns whether the service runs on an event loop. */
    boolean isOn(EventLoop loop) {
      return context.isEventLoopContext() && Contexts.eventLoop(context) == loop;
    }

    /** Returns whether this is the control program of the library. */
    boolean isControl() {
      return service instanceof ControlProgram;
    }

    /** How long the replies of a procedure are; null if they are always short. */
    ReplyEstimate reply(int procedure) {
      return replies.of(procedure);
    }

    /**
     * A context that nobody else has a part of.
     *
     * @param parallel whether other calls may be served meanwhile, if it is not one of an event loop
     */
    Context contextOfCall(boolean parallel) {
      if (!parallel || context.isEventLoopContext()) {
        return Contexts.duplicate(context);
      }
      // The tasks of one context are done one after the other, those of another one meanwhile.
      return Contexts.duplicate(Contexts.newLike(context));
    }
  }
}
