// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.rping;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The data of a ping: {@code rdma-ping-N: } and then the characters from {@code A} to {@code z}
 * again and again, beginning one later with each ping, and a zero at the end.
 */
final class RpingPattern {

  private static final String PREFIX = "rdma-ping-";
  private static final int FIRST = 'A';
  private static final int CHARACTERS = 'z' - FIRST + 1;

  private RpingPattern() {}

  /**
   * Fills a buffer.
   *
   * @param buffer all of it
   * @param ping number of the ping, from 0
   */
  static void fill(ByteBuffer buffer, int ping) {
    byte[] head = (PREFIX + ping + ": ").getBytes(StandardCharsets.US_ASCII);
    int size = buffer.capacity();
    buffer.put(0, head, 0, Math.min(head.length, size));
    for (int i = head.length; i < size; i++) {
      buffer.put(i, (byte) (FIRST + (ping + i - head.length) % CHARACTERS));
    }
    buffer.put(size - 1, (byte) 0);
  }

  /**
   * Whether a buffer holds what {@link #fill} makes.
   *
   * @param buffer begins with the data
   * @param size bytes of the data
   * @param ping number of the ping
   * @return true if every byte is right
   */
  static boolean matches(ByteBuffer buffer, int size, int ping) {
    ByteBuffer expected = ByteBuffer.allocate(size);
    fill(expected, ping);
    return buffer.slice(0, size).equals(expected.clear());
  }

  /**
   * The data as text, without the zero at the end.
   *
   * @param buffer begins with the data
   * @param size bytes of the data
   * @return one line
   */
  static String text(ByteBuffer buffer, int size) {
    byte[] bytes = new byte[size];
    buffer.get(0, bytes);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int end = text.indexOf(0);
    return end < 0 ? text : text.substring(0, end);
  }
}
