// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.work;

import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.support.GuardedCopy;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads of a device, which end when there is nothing to do. They are not Vert.x's, since a device is taken down also
 * when Vert.x ends first. From any thread.
 */
public final class IbverbsWorkers {

  private static final int IDLE_SECONDS = 5;

  private final ThreadPoolExecutor threads;
  private volatile Runnable last = () -> {};

  /**
   * None are started yet.
   *
   * @param name of the threads
   * @param most how many there may be; more work waits
   */
  public IbverbsWorkers(String name, int most) {
    threads = new ThreadPoolExecutor(most, most, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
        new DefaultThreadFactory(name, true)) {

      @Override
      protected void terminated() {
        last.run();
      }
    };
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Runs work.
   *
   * @param loop where to hear of it
   * @param work what may wait
   * @param done gets the outcome, whose failure is a {@code VerbsException}; not called if the loop has ended
   * @param <T> what the work gives
   */
  public <T> void run(EventLoop loop, Callable<T> work, Handler<AsyncResult<T>> done) {
    threads.execute(() -> {
      Future<T> outcome = outcome(work);
      try {
        loop.execute(() -> done.handle(outcome));
      } catch (RejectedExecutionException e) {
        // Vert.x has ended, and nobody hears any more.
      }
    });
  }

  /**
   * Runs work that nobody waits for.
   *
   * @param work what may wait
   */
  public void run(Runnable work) {
    threads.execute(work);
  }

  private static <T> Future<T> outcome(Callable<T> work) {
    try {
      return Future.succeededFuture(work.call());
    } catch (VerbsException e) {
      return Future.failedFuture(e);
    } catch (InternalError e) {
      return Future.failedFuture(new VerbsException(Kind.RESOURCES, GuardedCopy.TRUNCATED, e));
    } catch (OutOfMemoryError e) {
      return Future.failedFuture(new VerbsException(Kind.RESOURCES, "No memory: " + Causes.message(e), e));
    } catch (Throwable e) {
      // Errors too: jnr-ffi throws one when a function is called that this rdma-core does not have.
      return Future.failedFuture(new VerbsException(Kind.RESOURCES, Causes.message(e), e));
    }
  }

  /**
   * Takes no more work; what was given is still done.
   *
   * @param behind called when that is done
   */
  public void end(Runnable behind) {
    last = behind;
    threads.shutdown();
  }
}
