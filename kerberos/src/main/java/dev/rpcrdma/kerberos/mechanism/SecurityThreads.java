// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.mechanism;

import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Threads for what must not keep a loop waiting: contexts that are accepted, and large bodies. Contexts that this end asks
 * for have threads of their own: these may have to wait for a key distribution center, and nobody else should. All belong
 * to Vert.x and not to a verticle, since contexts outlive that which makes them first.
 */
public final class SecurityThreads implements Executor {

  private static final Logger LOGGER = LoggerFactory.getLogger(SecurityThreads.class);
  private static final String NAME = "rpcrdma-security";
  private static final int THREADS = 4;
  private static final String HANDSHAKES = "rpcrdma-tickets";
  private static final int HANDSHAKE_THREADS = 8;
  /** Then Vert.x says that one is kept waiting, as by a key distribution center that does not answer. */
  private static final long LONG_SECONDS = 60;

  /** Loop for what has its time. */
  private final EventLoop loop;
  private final WorkerExecutor pool;
  private final WorkerExecutor handshakes;

  /** To be closed; all of one Vert.x share the threads. */
  public SecurityThreads(Vertx vertx) {
    Context own = Contexts.newEventLoop(vertx);
    loop = Contexts.eventLoop(own);
    // Vert.x closes a pool with the verticle whose code asks for it.
    pool = pool(own, NAME, THREADS);
    handshakes = pool(own, HANDSHAKES, HANDSHAKE_THREADS);
  }

  private static WorkerExecutor pool(Context own, String name, int threads) {
    return Contexts.on(own,
        () -> own.owner().createSharedWorkerExecutor(name, threads, LONG_SECONDS, TimeUnit.SECONDS));
  }

  /** Does it. */
  @Override
  public void execute(Runnable task) {
    run(pool, task);
  }

  /** For what may have to wait for others. */
  public Executor handshakes() {
    return task -> run(handshakes, task);
  }

  /** Runs a short task later, on an event loop; never if Vert.x is closed before. */
  public void after(Duration delay, Runnable task) {
    try {
      loop.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      LOGGER.debug("Vert.x is closed: nothing is made any more", e);
    }
  }

  /**
   * Runs a task beside others.
   *
   * @throws RejectedExecutionException if the threads have ended
   */
  private static void run(WorkerExecutor threads, Runnable task) {
    Future<Void> done;
    try {
      done = threads.executeBlocking(() -> {
        task.run();
        return null;
      }, false);
    } catch (IllegalStateException e) {
      // So Vert.x 5.2 says that they have ended; older releases say what is declared here.
      throw new RejectedExecutionException(e);
    }
    done.onFailure(thrown -> LOGGER.error("A task of RPCSEC_GSS failed", thrown));
  }

  /** Takes nothing more. */
  public void close() {
    pool.close();
    handshakes.close();
  }
}
