// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.wire;

import java.util.random.RandomGenerator;

/**
 * 128 random bits that tell apart whoever draws them: a client over all its connections, whatever its
 * addresses, or a session of a server.
 *
 * @param high the first 64 bits
 * @param low the others
 */
public record InstanceId(long high, long low) {

  /** Size on the wire. */
  public static final int LENGTH = 2 * Long.BYTES;

  /**
   * Draws one.
   *
   * @param random best one that cannot be guessed, since an id is all that shows who a client is
   * @return unlike any other
   */
  public static InstanceId random(RandomGenerator random) {
    return new InstanceId(random.nextLong(), random.nextLong());
  }

  @Override
  public String toString() {
    return String.format("%016x%016x", high, low);
  }
}
