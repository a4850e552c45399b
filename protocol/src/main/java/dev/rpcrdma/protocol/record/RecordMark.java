// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.record;

import java.nio.ByteBuffer;

/** The word before each fragment of a record (RFC 5531 §11): whether it is the last one, and how long it is. */
public final class RecordMark {

  /** Its size in bytes. */
  public static final int LENGTH = Integer.BYTES;

  private static final int LAST = 0x80000000;

  private RecordMark() {}

  static boolean isLast(int mark) {
    return (mark & LAST) != 0;
  }

  static int length(int mark) {
    return mark & ~LAST;
  }

  /**
   * A record of one fragment.
   *
   * @param message what it carries
   * @return the mark, and the message
   */
  public static byte[] framed(byte[] message) {
    return ByteBuffer.allocate(LENGTH + message.length).putInt(LAST | message.length).put(message).array();
  }
}
