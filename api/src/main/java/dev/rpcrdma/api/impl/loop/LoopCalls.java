// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.loop;

import dev.rpcrdma.api.RpcClosedException;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** Does things on an event loop: at once for who is on it, in a later turn for everybody else. */
public final class LoopCalls {

  private LoopCalls() {}

  public static void run(EventLoop loop, Runnable action) {
    if (loop.inEventLoop()) {
      action.run();
    } else {
      loop.execute(action);
    }
  }

  /**
   * As {@link #run(EventLoop, Runnable)}, for something that has an answer, also after the end of Vert.x.
   *
   * @param answer what the action will answer
   * @return the answer, or {@link #closed} if the action will not be done, since Vert.x is closed
   */
  public static <T> Future<T> ask(EventLoop loop, Future<T> answer, Runnable action) {
    return ask(loop, answer, action, LoopCalls::closed);
  }

  /** As above, with another answer after the end of Vert.x. */
  public static <T> Future<T> ask(EventLoop loop, Future<T> answer, Runnable action,
      Supplier<Future<T>> afterTheEnd) {
    if (loop.inEventLoop()) {
      action.run();
      return answer;
    }
    try {
      loop.execute(action);
      return answer;
    } catch (RejectedExecutionException e) {
      return afterTheEnd.get();
    }
  }

  /**
   * The outcome of what was asked after the end of Vert.x. It belongs to no context, of which none would
   * call a listener any more: whoever adds one calls it.
   */
  public static <T> Future<T> closed() {
    return Future.failedFuture(new RpcClosedException("Vert.x is closed"));
  }

  /**
   * An outcome that is heard on an event loop; also by what is composed of it.
   *
   * @return belongs to no context
   */
  public static <T> Future<T> on(EventLoop loop, Future<T> outcome) {
    Promise<T> promise = Promise.promise();
    outcome.onComplete(any -> run(loop, () -> promise.handle(any)));
    return promise.future();
  }

  /** For what every call does: on the loop nothing is allocated for an action that captures nothing. */
  public static <A, B> void run(EventLoop loop, BiConsumer<A, B> action, A first, B second) {
    if (loop.inEventLoop()) {
      action.accept(first, second);
    } else {
      loop.execute(() -> action.accept(first, second));
    }
  }
}
