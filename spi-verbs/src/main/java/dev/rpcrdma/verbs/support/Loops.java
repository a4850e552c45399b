// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FutureListener;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import java.util.concurrent.RejectedExecutionException;

/** Contexts and the event loops beneath them. */
public final class Loops {

  private Loops() {}

  /**
   * The context in which upcalls are made: the given one if its code runs on its event loop, else a
   * new one on the same loop, since a queue pair's upcalls never hop to a worker.
   */
  public static Context onLoop(Context context) {
    Context own = Contexts.unwrap(context);
    if (own.threadingModel() == ThreadingModel.EVENT_LOOP) {
      return own;
    }
    return Contexts.newOn(context.owner(), Contexts.eventLoop(context));
  }

  /** Runs at once if already on the loop, else in a later turn of it. */
  public static void run(EventLoop loop, Runnable task) {
    if (loop.inEventLoop()) {
      task.run();
    } else {
      loop.execute(task);
    }
  }

  /**
   * Closes something of a loop.
   *
   * @param task closes it on the loop; not called if it is closed, or if its Vert.x is
   * @param closed when it is
   * @return completes when that does; or where Vert.x ends, at any time, so that no context would call listeners of
   *     that, when the loop has ended, and what it had with it
   */
  public static Future<Void> close(EventLoop loop, Runnable task, Future<Void> closed) {
    if (closed.isComplete()) {
      return closed.succeeded() ? Future.succeededFuture() : Future.failedFuture(closed.cause());
    }
    Promise<Void> told = Promise.promise();
    FutureListener<Object> ended = done -> told.tryComplete();
    loop.terminationFuture().addListener(ended);
    closed.onComplete(done -> {
      loop.terminationFuture().removeListener(ended);
      if (done.succeeded()) {
        told.tryComplete();
      } else {
        told.tryFail(done.cause());
      }
    });
    if (!loop.isShuttingDown()) {
      try {
        run(loop, task);
      } catch (RejectedExecutionException e) {
        // It has begun to end since.
      }
    }
    return told.future();
  }

  /**
   * Checks that a loop still runs what it is given.
   *
   * @param loop whose Vert.x may be closed
   * @throws VerbsException of kind CLOSED if it is
   */
  public static void check(EventLoop loop) {
    if (loop.isShuttingDown()) {
      throw ended(null);
    }
  }

  /**
   * Why nothing can be done on a loop that has ended.
   *
   * @param refused what the loop has said, or Vert.x; null if it was not asked
   * @return the failure, of kind CLOSED
   */
  public static VerbsException ended(RuntimeException refused) {
    return new VerbsException(VerbsException.Kind.CLOSED, "Vert.x is closed, or is being closed", refused);
  }
}
