// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.wire;

import java.nio.ByteBuffer;

/**
 * What travels beside an RPC message between two ends of this library that have both shown that they take it
 * ({@link Features}): a block at the end of the message's Payload stream, behind the last argument or result. So it is
 * in the Send, in the Position-Zero Read chunk, or in the Reply chunk, wherever that end is, and behind every
 * Position. It belongs to a transmission: what is sent again has a new one.
 *
 * <pre>
 *   block:  tag*  4D 44  u16 length of the tags
 *   tag:    u16 type  u16 length  value  zeros up to a multiple of four
 *
 *   1  26 bytes   trace context: version, trace id, parent id, flags, as in a traceparent of W3C Trace Context
 *   2  4 bytes    a call's: for how many microseconds its caller will still wait, 2^32-1 for that or longer
 *   3  0 bytes    a call's: the reply shall say how long the server took
 *      4 bytes    a reply's: how many microseconds the server took, 2^32-1 for that or longer
 *   4  text       tracestate, in UTF-8
 *   5  headers    of the application: (u8 length, name in ASCII, u16 length, value in UTF-8)*
 *   6  0 bytes    a reply's that says SYSTEM_ERR: the call was not executed for a bound on calls
 * </pre>
 *
 * <p>A tag of another type, or with another length than its type has, is skipped; of several of one type the first
 * counts. A block that is not of this form ends the connection.
 */
public final class MetadataBlock {

  /** Of a block without tags. */
  public static final int TRAILER_LENGTH = 4;
  /** The longest block. */
  public static final int MAX_LENGTH = 1024;
  /** Of a tag with a time. */
  public static final int TIME_LENGTH = 8;

  static final int TRACE_CONTEXT = 1;
  static final int TIME_LEFT = 2;
  static final int SERVER_TIME = 3;
  static final int TRACE_STATE = 4;
  static final int HEADERS = 5;
  static final int OVERLOADED = 6;
  static final int TAG_HEAD = 4;
  /** What stands for a time that is as long, or longer. */
  static final int LONGEST = -1;
  private static final int MARK = 0x4D44 << 16;

  private MetadataBlock() {}

  /**
   * How long the tags are of the block that ends a Payload stream.
   *
   * @param stream up to its limit
   * @return bytes; -1 if the stream ends in no block
   */
  static int tagsLength(ByteBuffer stream) {
    if (stream.remaining() < TRAILER_LENGTH) {
      return -1;
    }
    int trailer = stream.getInt(stream.limit() - TRAILER_LENGTH);
    int tags = trailer & 0xFFFF;
    boolean block = (trailer & 0xFFFF0000) == MARK && tags % 4 == 0 && tags <= MAX_LENGTH - TRAILER_LENGTH
        && tags <= stream.remaining() - TRAILER_LENGTH;
    return block ? tags : -1;
  }

  /**
   * Returns the length of the block that ends a Payload stream, tags and trailer.
   *
   * @param stream up to its limit
   * @return bytes; -1 if the stream ends in no block
   */
  public static int blockLength(ByteBuffer stream) {
    int tags = tagsLength(stream);
    return tags < 0 ? -1 : tags + TRAILER_LENGTH;
  }

  /** How much of a block a tag with so long a value takes. */
  static int tagLength(int value) {
    return TAG_HEAD + (value + 3 & ~3);
  }

  /**
   * Writes a tag with a time.
   *
   * @param target position advances by {@link #TIME_LENGTH}
   * @param nanos the time in nanoseconds; what is negative is 0
   */
  private static void writeTime(ByteBuffer target, int type, long nanos) {
    long micros = Math.max(0, nanos) / 1000;
    target.putInt(type << 16 | 4).putInt(micros < Integer.toUnsignedLong(LONGEST) ? (int) micros : LONGEST);
  }

  /**
   * Writes the block of a call.
   *
   * @param target position advances by {@link #callLength}
   * @param tags tags that are encoded already
   * @param nanosLeft for how long its caller will still wait
   */
  public static void writeCall(ByteBuffer target, byte[] tags, long nanosLeft) {
    writeTime(target, TIME_LEFT, nanosLeft);
    target.put(tags);
    writeTrailer(target, TIME_LENGTH + tags.length);
  }

  /**
   * How long the block of a call is.
   *
   * @param tags tags that are encoded already
   * @return bytes
   */
  public static int callLength(byte[] tags) {
    return TIME_LENGTH + tags.length + TRAILER_LENGTH;
  }

  /**
   * Writes a block of tags alone.
   *
   * @param target position advances by {@link #tagsLength(byte[])}
   * @param tags tags that are encoded already
   */
  public static void writeTags(ByteBuffer target, byte[] tags) {
    target.put(tags);
    writeTrailer(target, tags.length);
  }

  /**
   * How long a block of tags alone is.
   *
   * @param tags tags that are encoded already
   * @return bytes
   */
  public static int tagsLength(byte[] tags) {
    return tags.length + TRAILER_LENGTH;
  }

  /**
   * Writes the block of a reply.
   *
   * @param target position advances by {@link #replyLength}
   * @param serverNanos how long the server took; negative to say nothing of it
   * @param overloaded whether the call was not executed for a bound on calls
   */
  public static void writeReply(ByteBuffer target, long serverNanos, boolean overloaded) {
    if (serverNanos >= 0) {
      writeTime(target, SERVER_TIME, serverNanos);
    }
    if (overloaded) {
      target.putInt(OVERLOADED << 16);
    }
    writeTrailer(target, replyLength(serverNanos >= 0, overloaded) - TRAILER_LENGTH);
  }

  /**
   * Returns the length of the block of a reply.
   *
   * @param timed whether it says how long the server took
   * @param overloaded whether it says that the call was not executed
   * @return bytes
   */
  public static int replyLength(boolean timed, boolean overloaded) {
    return TRAILER_LENGTH + (timed ? TIME_LENGTH : 0) + (overloaded ? TAG_HEAD : 0);
  }

  private static void writeTrailer(ByteBuffer target, int tags) {
    target.putInt(MARK | tags);
  }
}
