// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.security;

import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.WorkerPool;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Threads for what must not keep a loop waiting: contexts that are accepted, and large bodies. Contexts that this end asks
 * for have threads of their own: these may have to wait for a key distribution center, and nobody else should. All belong
 * to Vert.x and not to a verticle, since contexts outlive that which makes them first.
 */
public final class SecurityThreads implements Executor {

  private static final String NAME = "rpcrdma-security";
  private static final int THREADS = 4;
  private static final String HANDSHAKES = "rpcrdma-tickets";
  private static final int HANDSHAKE_THREADS = 8;
  /** Then Vert.x says that one is kept waiting, as by a key distribution center that does not answer. */
  private static final long LONG_SECONDS = 60;

  private final WorkerPool pool;
  private final WorkerPool handshakes;

  /** To be closed; all of one Vert.x share the threads. */
  public SecurityThreads(Vertx vertx) {
    pool = pool(vertx, NAME, THREADS);
    handshakes = pool(vertx, HANDSHAKES, HANDSHAKE_THREADS);
  }

  private static WorkerPool pool(Vertx vertx, String name, int threads) {
    return ((VertxInternal) vertx).createSharedWorkerPool(name, threads, LONG_SECONDS, TimeUnit.SECONDS);
  }

  /** Does it, unless they have ended. */
  @Override
  public void execute(Runnable task) {
    pool.executor().execute(task);
  }

  /** For what may have to wait for others. */
  public Executor handshakes() {
    return task -> handshakes.executor().execute(task);
  }

  /** Takes nothing more. */
  public void close() {
    pool.close();
    handshakes.close();
  }
}
