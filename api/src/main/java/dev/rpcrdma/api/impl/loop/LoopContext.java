package dev.rpcrdma.api.impl.loop;

import io.vertx.core.ThreadingModel;
import io.vertx.core.internal.ContextInternal;

/**
 * The context of a connection's machinery: always one of an event loop, also when the verticle that
 * made the connection is a worker or runs on virtual threads.
 */
public final class LoopContext {

  private LoopContext() {}

  public static ContextInternal of(ContextInternal context) {
    if (context.isEventLoopContext()) {
      return context;
    }
    return context.owner().contextBuilder().withThreadingModel(ThreadingModel.EVENT_LOOP)
        .withEventLoop(context.nettyEventLoop()).build();
  }
}
