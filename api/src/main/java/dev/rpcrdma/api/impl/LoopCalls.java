package dev.rpcrdma.api.impl;

import io.netty.channel.EventLoop;
import java.util.function.BiConsumer;

/** Does things on an event loop: at once for who is on it, in a later turn for everybody else. */
final class LoopCalls {

  private LoopCalls() {}

  static void run(EventLoop loop, Runnable action) {
    if (loop.inEventLoop()) {
      action.run();
    } else {
      loop.execute(action);
    }
  }

  /** For what every call does: on the loop nothing is allocated for an action that captures nothing. */
  static <A, B> void run(EventLoop loop, BiConsumer<A, B> action, A first, B second) {
    if (loop.inEventLoop()) {
      action.accept(first, second);
    } else {
      loop.execute(() -> action.accept(first, second));
    }
  }
}
