// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.soak;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.zip.CRC32C;

/**
 * One end's services. Each worker makes one call after the other, so the last number of each is enough
 * to know that none was lost and none executed twice.
 */
final class Ledger implements SoakStore, SoakEvents {

  private final AtomicLongArray last;

  Ledger(int workers) {
    last = new AtomicLongArray(workers);
  }

  @Override
  public Future<Long> add(int worker, long number, Buffer bytes) {
    if (!last.compareAndSet(worker, number - 1, number)) {
      return Future.failedFuture(new IllegalStateException("Worker " + worker + " is at "
          + last.get(worker) + ", and calls " + number));
    }
    return Future.succeededFuture(checksum(bytes));
  }

  @Override
  public Future<Long> told(int worker, long number, Buffer bytes) {
    return add(worker, number, bytes);
  }

  @Override
  public Future<Buffer> look(long seed, int length) {
    return Future.succeededFuture(bytes(seed, length));
  }

  @Override
  public Future<String> text(int length) {
    return Future.succeededFuture("x".repeat(length));
  }

  static Buffer bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return Buffer.buffer(bytes);
  }

  static long checksum(Buffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.getBytes());
    return crc.getValue();
  }
}
