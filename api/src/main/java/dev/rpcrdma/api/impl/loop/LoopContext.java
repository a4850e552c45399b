// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.loop;

import dev.rpcrdma.verbs.vertx.Contexts;
import dev.rpcrdma.verbs.vertx.VertxParts;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.vertx.core.Context;
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
  public static List<Context> several(Context context, int count) {
    List<Context> all = new ArrayList<>();
    all.add(of(context));
    List<EventLoop> others = others(context);
    for (int i = 1; i < count; i++) {
      EventLoop loop = others.isEmpty() ? Contexts.eventLoop(context) : others.get((i - 1) % others.size());
      all.add(on(context, loop));
    }
    return all;
  }

  /** The other loops of an instance, beginning with the one that is to be used next. */
  private static List<EventLoop> others(Context context) {
    EventLoopGroup group = VertxParts.eventLoops(context.owner());
    List<EventLoop> all = new ArrayList<>();
    group.forEach(loop -> all.add((EventLoop) loop));
    int next = Math.max(0, all.indexOf(group.next()));
    Collections.rotate(all, -next);
    all.remove(Contexts.eventLoop(context));
    return all;
  }

  private static Context on(Context context, EventLoop loop) {
    return Contexts.newOn(context.owner(), loop);
  }

  public static Context of(Context context) {
    if (context.isEventLoopContext()) {
      return context;
    }
    return on(context, Contexts.eventLoop(context));
  }
}
