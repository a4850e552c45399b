// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.wire;

import java.nio.ByteBuffer;

/**
 * The {@link MetadataBlock} of the message that was looked at last. A connection has one: nothing is made anew for a
 * message whose block has a time and no more.
 */
public final class InboundMetadata {

  private static final byte[] NO_TAGS = {};

  private long nanosLeft = -1;
  private long serverNanos = -1;
  private boolean asksServerTime;
  private boolean overloaded;
  private byte[] tags = NO_TAGS;

  /** Creates it; nothing has been looked at. */
  public InboundMetadata() {}

  /**
   * Reads the block that ends a Payload stream, and cuts it off.
   *
   * @param stream its limit moves to where the RPC message ends
   * @return false if there is no sound block; the stream is as it was then
   */
  public boolean cut(ByteBuffer stream) {
    clear();
    int length = MetadataBlock.tagsLength(stream);
    if (length < 0) {
      return false;
    }
    int end = stream.limit() - MetadataBlock.TRAILER_LENGTH;
    int begin = end - length;
    boolean others = false;
    int at = begin;
    while (at < end) {
      int value = stream.getShort(at + 2) & 0xFFFF;
      int next = at + MetadataBlock.tagLength(value);
      if (next > end) {
        clear();
        return false;
      }
      others |= !known(stream.getShort(at) & 0xFFFF, value, stream, at + MetadataBlock.TAG_HEAD);
      at = next;
    }
    if (others) {
      tags = new byte[end - begin];
      stream.get(begin, tags);
    }
    stream.limit(begin);
    return true;
  }

  private void clear() {
    nanosLeft = -1;
    serverNanos = -1;
    asksServerTime = false;
    overloaded = false;
    tags = NO_TAGS;
  }

  /** Takes a tag, if it is about times or overload. */
  private boolean known(int type, int length, ByteBuffer stream, int at) {
    if (type == MetadataBlock.TIME_LEFT && length == 4) {
      if (nanosLeft < 0 && stream.getInt(at) != MetadataBlock.LONGEST) {
        nanosLeft = nanos(stream, at);
      }
    } else if (type == MetadataBlock.SERVER_TIME && length == 4) {
      if (serverNanos < 0) {
        serverNanos = nanos(stream, at);
      }
    } else if (type == MetadataBlock.SERVER_TIME && length == 0) {
      asksServerTime = true;
    } else if (type == MetadataBlock.OVERLOADED && length == 0) {
      overloaded = true;
    } else {
      return false;
    }
    return true;
  }

  private static long nanos(ByteBuffer stream, int at) {
    return 1000 * Integer.toUnsignedLong(stream.getInt(at));
  }

  /**
   * For how long the caller will still wait.
   *
   * @return nanoseconds; -1 if it does not say, or waits for longer than can be said
   */
  public long nanosLeft() {
    return nanosLeft;
  }

  /**
   * How long the server took.
   *
   * @return nanoseconds; -1 if it does not say
   */
  public long serverNanos() {
    return serverNanos;
  }

  /**
   * Whether the reply shall say how long the server took.
   *
   * @return true if so
   */
  public boolean asksServerTime() {
    return asksServerTime;
  }

  /**
   * Returns whether the call of the reply was not executed for a bound on calls.
   *
   * @return true if so
   */
  public boolean overloaded() {
    return overloaded;
  }

  /**
   * All tags, if there are others than those about times and overload.
   *
   * @return encoded; of no length if there are none. Nobody changes it
   */
  public byte[] tags() {
    return tags;
  }
}
