// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.measure;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;

/** Many of the same thing, so many at a time that neither end drops connections for being overrun. */
public final class Crowd {

  private static final int AT_A_TIME = 64;

  private final Supplier<Future<?>> one;
  private final Promise<Void> all = Promise.promise();
  private int unbegun;
  private int unfinished;

  private Crowd(int count, Supplier<Future<?>> one) {
    this.one = one;
    this.unbegun = count;
    this.unfinished = count;
  }

  /**
   * Does something many times, and waits for the last.
   *
   * @param count how often
   * @param one begins to do it; by one thread at a time
   */
  public static void of(int count, Supplier<Future<?>> one) {
    Crowd crowd = new Crowd(count, one);
    for (int i = 0; i < AT_A_TIME; i++) {
      crowd.begin();
    }
    Waits.await(crowd.all.future());
  }

  private synchronized void begin() {
    if (unbegun > 0) {
      unbegun--;
      one.get().onSuccess(done -> finished()).onFailure(all::tryFail);
    }
  }

  private synchronized void finished() {
    unfinished--;
    if (unfinished == 0) {
      all.complete();
    }
    begin();
  }
}
