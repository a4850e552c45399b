// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.command;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** A Vert.x for a command, closed with it; with a capture also where that is interrupted, so that its file is whole. */
public final class RunningVertx implements AutoCloseable {

  /** How long a process that is told to end waits for calls in flight; on a busy machine they take their time. */
  private static final long END_SECONDS = 10;

  private final Ending ending;
  private Vertx vertx;

  /**
   * Starts one.
   *
   * @param captures whether it is closed also where the command is interrupted
   * @throws IOException if the process ends
   */
  public RunningVertx(boolean captures) throws IOException {
    ending = Ending.of(() -> vertx = Vertx.vertx(), () -> {
      if (captures) {
        Futures.await(vertx.close().timeout(END_SECONDS, TimeUnit.SECONDS));
      }
    });
  }

  /**
   * The instance.
   *
   * @return open until this is closed
   */
  public Vertx vertx() {
    return vertx;
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
    ending.close();
  }
}
