// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos;

import dev.rpcrdma.kerberos.mechanism.SecurityThreads;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import java.util.concurrent.CountDownLatch;

/** Keeps a server of this Vert.x from accepting contexts: tokens wait. */
final class HeldThreads {

  private static final int THREADS = 4;

  private final SecurityThreads threads;
  private final CountDownLatch first = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);

  HeldThreads(Vertx vertx) {
    threads = new SecurityThreads(vertx);
    CountDownLatch held = new CountDownLatch(THREADS);
    for (int i = 0; i < THREADS; i++) {
      CountDownLatch until = i == 0 ? first : over;
      threads.execute(() -> {
        held.countDown();
        Waiting.await(until);
      });
    }
    Waiting.await(held);
  }

  /** Lets one of them go on, so that tokens are taken in the order in which they have come. */
  void oneByOne() {
    first.countDown();
  }

  /** Lets them go on. */
  void end() {
    first.countDown();
    over.countDown();
    threads.close();
  }
}
