// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.vertx;

import io.netty.channel.EventLoop;
import io.vertx.core.Closeable;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.spi.tracing.VertxTracer;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/** What a context can do beyond {@link Context}. Every context here is one that Vert.x has made. */
public final class Contexts {

  private Contexts() {}

  /** A new context on one of the event loops of an instance, which take turns. */
  public static Context newEventLoop(Vertx vertx) {
    return ((VertxInternal) vertx).createEventLoopContext();
  }

  /** A new context on this event loop. */
  public static Context newOn(Vertx vertx, EventLoop loop) {
    return ((VertxInternal) vertx).contextBuilder().withThreadingModel(ThreadingModel.EVENT_LOOP).withEventLoop(loop)
        .build();
  }

  /** A new context of workers. */
  public static Context newWorker(Vertx vertx) {
    return ((VertxInternal) vertx).createWorkerContext();
  }

  /** A new context like another one, with the same threads, class loader and close hooks, and with data of its own. */
  public static Context newLike(Context context) {
    ContextInternal model = internal(context);
    return model.owner().contextBuilder().withThreadingModel(model.threadingModel())
        .withEventLoop(model.nettyEventLoop()).withWorkerPool(model.workerPool()).withClassLoader(model.classLoader())
        .withCloseFuture(model.closeFuture()).build();
  }

  /** A context with the same threads and the same data, and with local data of its own. */
  public static Context duplicate(Context context) {
    return internal(context).duplicate();
  }

  /** The context that this one is a duplicate of; the context itself if it is none. */
  public static Context unwrap(Context context) {
    return internal(context).unwrap();
  }

  /** The event loop of a context; for one of workers, the loop that its timers and sockets would use. */
  public static EventLoop eventLoop(Context context) {
    return internal(context).nettyEventLoop();
  }

  /** A promise whose future calls its listeners on the context, or nobody if the context's threads have ended. */
  public static <T> Promise<T> promise(Context context) {
    Promise<T> promise = internal(context).promise();
    return context.isEventLoopContext() ? promise : new LastingPromise<>(promise);
  }

  /** The future of a {@link #promise} that the handler completes. It fails if the handler does. */
  public static <T> Future<T> future(Context context, Handler<Promise<T>> handler) {
    Promise<T> promise = promise(context);
    try {
      handler.handle(promise);
    } catch (Throwable e) {
      promise.tryFail(e);
    }
    return promise.future();
  }

  public static <T> Future<T> failedFuture(Context context, Throwable failure) {
    return internal(context).failedFuture(failure);
  }

  /**
   * Tells the context something: at once if this is one of its threads, else later, and never if its threads have
   * ended. Those of a worker pool that belongs to a verticle end before all others do.
   *
   * @return false if nobody will hear it
   */
  public static <T> boolean tell(Context context, T event, Handler<T> handler) {
    try {
      internal(context).emit(event, handler);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /**
   * Runs the handler as the context: at once if this is one of its threads, else later.
   *
   * @throws RejectedExecutionException if its threads have ended
   */
  public static <T> void emit(Context context, T event, Handler<T> handler) {
    internal(context).emit(event, handler);
  }

  /** Tells whether Vert.x has ended: nothing is left to close, and no context would call a listener any more. */
  public static boolean hasEnded(Context context) {
    return eventLoop(context).isShutdown();
  }

  /** Runs the handler as the context, on this thread. */
  public static <T> void dispatch(Context context, T event, Handler<T> handler) {
    internal(context).dispatch(event, handler);
  }

  /**
   * Makes this the current context of the thread.
   *
   * @return the one that was current before, for {@link #endDispatch}; null if there was none
   */
  public static Context beginDispatch(Context context) {
    return internal(context).beginDispatch();
  }

  /** Makes the earlier context the current one again. */
  public static void endDispatch(Context context, Context earlier) {
    internal(context).endDispatch(internal(earlier));
  }

  /** Runs a task on the context that the current one duplicates, if any: as no part of what the current one serves. */
  public static <T> T apart(Supplier<T> task) {
    Context current = Vertx.currentContext();
    return current == null || unwrap(current) == current ? task.get() : on(unwrap(current), task);
  }

  /** Runs a task at once, with a context as the current one; on a thread that may dispatch to the context. */
  public static <T> T on(Context context, Supplier<T> task) {
    Context before = beginDispatch(context);
    try {
      return task.get();
    } finally {
      endDispatch(context, before);
    }
  }

  /** Hands what a handler has thrown to the context's exception handler. */
  public static void reportException(Context context, Throwable thrown) {
    internal(context).reportException(thrown);
  }

  /** The tracer of the instance; null if it has none. */
  public static VertxTracer<?, ?> tracer(Context context) {
    return internal(context).tracer();
  }

  /** A timer that fires on the context, and goes on when the context's verticle is undeployed. */
  public static long setTimer(Context context, long milliseconds, Handler<Long> handler) {
    return internal(context).setTimer(milliseconds, handler);
  }

  /** Closes something when the context's verticle is undeployed, or when the instance closes. */
  public static void addCloseHook(Context context, Closeable hook) {
    internal(context).addCloseHook(hook);
  }

  public static void removeCloseHook(Context context, Closeable hook) {
    internal(context).removeCloseHook(hook);
  }

  private static ContextInternal internal(Context context) {
    return (ContextInternal) context;
  }
}
