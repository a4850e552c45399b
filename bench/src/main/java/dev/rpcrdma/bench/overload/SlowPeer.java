// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.overload;

import io.vertx.core.Future;
import java.util.function.Supplier;

/**
 * The calling side of a system.
 *
 * @param work makes one call, which waits for {@link Work#TIMEOUT}
 * @param end ends it
 */
record SlowPeer(Supplier<Future<?>> work, Runnable end) implements AutoCloseable {

  @Override
  public void close() {
    end.run();
  }
}
