// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.memory;

import java.security.SecureRandom;
import java.util.Random;

/**
 * Unpredictable numbers for steering tags and their offsets (RFC 5040 §8.1.1, RFC 5042 §6.2.1),
 * drawn in batches since each draw from the system costs about a microsecond. Confined to one event
 * loop.
 */
public final class TagSource {

  private static final int BATCH_BYTES = 256;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Random random;
  private final byte[] batch = new byte[BATCH_BYTES];
  private int next = BATCH_BYTES;

  /** Creates a source; the first draw fills its batch. */
  public TagSource() {
    this(RANDOM);
  }

  /** A source of other numbers, to test what becomes of a tag that comes again. */
  TagSource(Random random) {
    this.random = random;
  }

  /**
   * The next number.
   *
   * @return 32 random bits, never 0
   */
  public int next() {
    int value;
    do {
      if (next == BATCH_BYTES) {
        random.nextBytes(batch);
        next = 0;
      }
      value = batch[next++] << 24 | (batch[next++] & 0xFF) << 16 | (batch[next++] & 0xFF) << 8
          | batch[next++] & 0xFF;
    } while (value == 0);
    return value;
  }
}
