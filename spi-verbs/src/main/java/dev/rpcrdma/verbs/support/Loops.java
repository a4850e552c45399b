// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.ThreadingModel;
import io.vertx.core.internal.ContextInternal;

/** Contexts and the event loops beneath them. */
public final class Loops {

  private Loops() {}

  /**
   * The context in which upcalls are made: the given one if its code runs on its event loop, else a
   * new one on the same loop, since a queue pair's upcalls never hop to a worker.
   */
  public static ContextInternal onLoop(Context context) {
    ContextInternal internal = ((ContextInternal) context).unwrap();
    if (internal.threadingModel() == ThreadingModel.EVENT_LOOP) {
      return internal;
    }
    return internal.owner().contextBuilder().withEventLoop(internal.nettyEventLoop()).build();
  }

  /** Runs at once if already on the loop, else in a later turn of it. */
  public static void run(EventLoop loop, Runnable task) {
    if (loop.inEventLoop()) {
      task.run();
    } else {
      loop.execute(task);
    }
  }
}
