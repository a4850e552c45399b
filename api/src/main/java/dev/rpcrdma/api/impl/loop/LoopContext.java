// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.loop;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.vertx.core.ThreadingModel;
import io.vertx.core.internal.ContextInternal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The context of a connection's machinery: always one of an event loop, also when the verticle that
 * made the connection is a worker or runs on virtual threads.
 */
public final class LoopContext {

  private LoopContext() {}

  /**
   * As many as are wanted, each on a loop of its own as long as there are others.
   *
   * @param context the first one is that of {@link #of}
   * @param count how many; at least 1
   */
  public static List<ContextInternal> several(ContextInternal context, int count) {
    List<ContextInternal> all = new ArrayList<>();
    all.add(of(context));
    List<EventLoop> others = others(context);
    for (int i = 1; i < count; i++) {
      EventLoop loop = others.isEmpty() ? context.nettyEventLoop() : others.get((i - 1) % others.size());
      all.add(on(context, loop));
    }
    return all;
  }

  /** The other loops of an instance, beginning with the one that is to be used next. */
  private static List<EventLoop> others(ContextInternal context) {
    EventLoopGroup group = context.owner().nettyEventLoopGroup();
    List<EventLoop> all = new ArrayList<>();
    group.forEach(loop -> all.add((EventLoop) loop));
    int next = Math.max(0, all.indexOf(group.next()));
    Collections.rotate(all, -next);
    all.remove(context.nettyEventLoop());
    return all;
  }

  private static ContextInternal on(ContextInternal context, EventLoop loop) {
    return context.owner().contextBuilder().withThreadingModel(ThreadingModel.EVENT_LOOP)
        .withEventLoop(loop).build();
  }

  public static ContextInternal of(ContextInternal context) {
    if (context.isEventLoopContext()) {
      return context;
    }
    return on(context, context.nettyEventLoop());
  }
}
