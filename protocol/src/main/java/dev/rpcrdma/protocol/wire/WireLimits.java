// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.wire;

/**
 * What a receiver is willing to decode and to pull. A peer can ask for no more, whatever it sends.
 *
 * @param segments most segments in all lists of one message together
 * @param chunkBytes most bytes in one chunk
 * @param readBytes most bytes in all Read chunks of one message together
 * @param readBytesInFlight most bytes in the Read chunks of all calls of a connection together, from
 *     when they are to be pulled until their services have answered
 */
public record WireLimits(int segments, long chunkBytes, long readBytes, long readBytesInFlight) {

  /**
   * 256 segments (a 4096-byte header holds at most 169 read segments), chunks of at most 1 GiB, and
   * as much in all Read chunks of a message, and of a connection, together.
   */
  public static final WireLimits DEFAULT = new WireLimits(256, 1L << 30, 1L << 30, 1L << 30);

  /** Limits of a receiver that only looks at a message: the length of the message bounds its lists. */
  public static final WireLimits NONE =
      new WireLimits(Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
}
