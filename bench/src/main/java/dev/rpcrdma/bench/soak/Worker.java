// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.soak;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.Random;

/** Makes one call after the other, with a pause between, and checks each answer. */
final class Worker {

  /** Calls whose answer is not what it must be, or that fail, end the run. */
  interface Next {
    Future<Void> call(Random random, long number);
  }

  private static final int PAUSE_MILLIS = 20;

  private final Vertx vertx;
  private final Random random;
  private final Next next;
  private final Promise<Void> ended = Promise.promise();
  private long calls;
  private volatile boolean stopped;

  Worker(Vertx vertx, long seed, Next next) {
    this.vertx = vertx;
    this.random = new Random(seed);
    this.next = next;
  }

  /** Completes when it was stopped, or fails with the first call that does. */
  Future<Void> work() {
    again();
    return ended.future();
  }

  /** No chain of futures: it would be as long as the run. */
  private void again() {
    if (stopped) {
      ended.tryComplete();
      return;
    }
    next.call(random, ++calls).onFailure(ended::tryFail)
        .onSuccess(done -> vertx.setTimer(1 + random.nextInt(PAUSE_MILLIS), id -> again()));
  }

  void stop() {
    stopped = true;
  }

  long calls() {
    return calls;
  }

  static Future<Void> forward(SoakStore store, int worker, Random random, long[] adds) {
    int length = random.nextInt(8) == 0 ? random.nextInt(SoakStore.LONGEST_TEXT) : random.nextInt(2 << 10);
    long seed = random.nextLong();
    switch (random.nextInt(4)) {
      case 0:
        return store.look(seed, length).map(bytes -> same(bytes, Ledger.bytes(seed, length)));
      case 1:
        return store.text(length).map(text -> same(text.length(), length));
      default:
        Buffer bytes = Ledger.bytes(seed, length);
        return store.add(worker, ++adds[worker], bytes)
            .map(sum -> same(sum, Ledger.checksum(bytes)));
    }
  }

  static Future<Void> reverse(SoakEvents events, int worker, Random random, long number) {
    Buffer bytes = Ledger.bytes(random.nextLong(), random.nextInt(2 << 10));
    return events.told(worker, number, bytes).map(sum -> same(sum, Ledger.checksum(bytes)));
  }

  private static Void same(Object found, Object expected) {
    if (!found.equals(expected)) {
      throw new IllegalStateException("A call was answered by something else");
    }
    return null;
  }
}
