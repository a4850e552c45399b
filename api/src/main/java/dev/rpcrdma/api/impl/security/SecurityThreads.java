package dev.rpcrdma.api.impl.security;

import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.WorkerPool;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Threads for what must not keep a loop waiting: tickets, contexts, and large bodies. They belong to Vert.x and not to a
 * verticle, since contexts outlive that which makes them first.
 */
public final class SecurityThreads implements Executor {

  private static final String NAME = "rpcrdma-security";
  private static final int THREADS = 4;
  /** Then Vert.x says that one is kept waiting, as by a key distribution center that does not answer. */
  private static final long LONG_SECONDS = 60;

  private final WorkerPool pool;

  /** To be closed; all of one Vert.x share the threads. */
  public SecurityThreads(Vertx vertx) {
    pool = ((VertxInternal) vertx).createSharedWorkerPool(NAME, THREADS, LONG_SECONDS, TimeUnit.SECONDS);
  }

  /** Does it, unless they have ended. */
  @Override
  public void execute(Runnable task) {
    pool.executor().execute(task);
  }

  /** Takes nothing more. */
  public void close() {
    pool.close();
  }
}
