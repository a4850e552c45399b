// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import io.vertx.core.Future;
import java.util.concurrent.atomic.LongAdder;

/** Counts the messages of one direction. Safe for all threads. */
final class Traffic {

  private final LongAdder succeeded = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder pending = new LongAdder();

  /** A message is not permitted. */
  void refused() {
    refused.increment();
  }

  /** A message came that will have an outcome. */
  void began() {
    pending.increment();
  }

  /** A message that began has its outcome. */
  void ended(boolean success) {
    pending.decrement();
    (success ? succeeded : failed).increment();
  }

  /** A message has come, whose outcome this will be. */
  <T> Future<T> count(Future<T> outcome) {
    began();
    return outcome.onComplete(known -> ended(known.succeeded()));
  }

  BridgeTraffic snapshot() {
    return new BridgeTraffic(succeeded.sum(), refused.sum(), failed.sum(), pending.sum());
  }
}
