// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.overload;

import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Work of each service for a call: it blocks a thread, as a query to a database does. */
final class Work {

  /** How many threads each service has. */
  static final int THREADS = 4;
  /** How long a call takes. */
  static final Duration TIME = Duration.ofMillis(10);
  /** How many calls a service can do in a second. */
  static final double CAPACITY = THREADS * 1000.0 / TIME.toMillis();
  /** How long a caller waits. */
  static final Duration TIMEOUT = Duration.ofMillis(500);

  private Work() {}

  static Buffer done(Buffer bytes) {
    long end = System.nanoTime() + TIME.toNanos();
    for (long left = TIME.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    return bytes;
  }
}
