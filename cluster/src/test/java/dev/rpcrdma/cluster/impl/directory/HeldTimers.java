// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import dev.rpcrdma.testkit.Waiting;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.Closeable;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Timers of one event loop that fire when the test says so. Contexts that {@link #vertx} makes have this loop; all else
 * is done by the real instance.
 */
final class HeldTimers implements AutoCloseable {

  /** A timer that was set: its delay, its action, and the future by which its owner cancels it. */
  record Timer(long nanos, Runnable action, ScheduledFuture<?> future) {

    boolean isCancelled() {
      return future.isCancelled();
    }
  }

  /** Timers in the order in which they were set. */
  final BlockingQueue<Timer> timers = new LinkedBlockingQueue<>();
  /** Timers that have not fired, cancelled or not. */
  private final Queue<Timer> pending = new ConcurrentLinkedQueue<>();
  /** Close hooks of {@link #owner}. */
  final List<Closeable> hooks = new CopyOnWriteArrayList<>();
  final VertxInternal vertx;
  /** A context of {@link #vertx}. */
  final ContextInternal owner;
  private final EventLoop loop;
  private volatile boolean released;

  HeldTimers(VertxInternal real) {
    ContextInternal context = real.createEventLoopContext();
    loop = context.nettyEventLoop();
    EventLoop held = proxy(EventLoop.class, (method, arguments) -> method.getName().equals("schedule")
        ? schedule((Runnable) arguments[0], ((TimeUnit) arguments[2]).toNanos((long) arguments[1]))
        : call(loop, method, arguments));
    ContextInternal own = proxy(ContextInternal.class, (method, arguments) ->
        method.getName().equals("nettyEventLoop") ? held : call(context, method, arguments));
    vertx = proxy(VertxInternal.class, (method, arguments) ->
        method.getName().equals("createEventLoopContext") ? own : call(real, method, arguments));
    owner = proxy(ContextInternal.class, (method, arguments) -> {
      switch (method.getName()) {
        case "owner":
          return vertx;
        case "addCloseHook":
          hooks.add((Closeable) arguments[0]);
          return null;
        case "removeCloseHook":
          hooks.remove((Closeable) arguments[0]);
          return null;
        default:
          return call(context, method, arguments);
      }
    });
  }

  private interface Calls {

    Object call(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Calls calls) {
    return type.cast(Proxy.newProxyInstance(HeldTimers.class.getClassLoader(), new Class<?>[] {type},
        (proxy, method, arguments) -> calls.call(method, arguments)));
  }

  private static Object call(Object real, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private ScheduledFuture<?> schedule(Runnable action, long nanos) {
    if (released) {
      return loop.schedule(action, nanos, TimeUnit.NANOSECONDS);
    }
    ScheduledFuture<?> never = loop.schedule(() -> { }, 1, TimeUnit.DAYS);
    Timer timer = new Timer(nanos, action, never);
    pending.add(timer);
    timers.add(timer);
    return never;
  }

  /** Waits for the next timer. */
  Timer next() {
    return Waiting.next(timers);
  }

  /** Runs a timer's action on the event loop, and waits for its end. */
  void fire(Timer timer) {
    pending.remove(timer);
    loop.submit(timer.action).syncUninterruptibly();
  }

  /** Waits until the event loop has done what it was given before. */
  void turn() {
    loop.submit(() -> { }).syncUninterruptibly();
  }

  /** Fires what is pending; later timers are real ones, so that the instance can close. */
  @Override
  public void close() {
    released = true;
    turn();
    for (Timer timer = pending.poll(); timer != null; timer = pending.poll()) {
      if (!timer.isCancelled()) {
        fire(timer);
      }
    }
  }
}
