// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.rpcbind;

import java.util.Arrays;
import java.util.Optional;

/**
 * Addresses of IPv4 and IPv6 as texts (RFC 4291 §2.2, RFC 5952 §4), read without asking anybody: names are none, and
 * neither are addresses with a zone.
 */
final class IpAddress {

  private static final int WORDS = 8;

  private IpAddress() {}

  /**
   * The text that everybody writes.
   *
   * @return empty if it is no address
   */
  static Optional<String> canonical(String text) {
    if (text.indexOf(':') < 0) {
      return four(text).map(IpAddress::format);
    }
    return six(text).map(IpAddress::format);
  }

  private static String format(byte[] four) {
    return (four[0] & 0xff) + "." + (four[1] & 0xff) + "." + (four[2] & 0xff) + "." + (four[3] & 0xff);
  }

  private static Optional<byte[]> four(String text) {
    String[] parts = text.split("\\.", -1);
    if (parts.length != 4) {
      return Optional.empty();
    }
    byte[] bytes = new byte[4];
    for (int i = 0; i < 4; i++) {
      int value = octet(parts[i]);
      if (value < 0) {
        return Optional.empty();
      }
      bytes[i] = (byte) value;
    }
    return Optional.of(bytes);
  }

  /** The value of a decimal octet; -1 if it is none. */
  static int octet(String text) {
    if (text.isEmpty() || text.length() > 3 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return -1;
    }
    int value = Integer.parseInt(text);
    return value <= 255 ? value : -1;
  }

  private static Optional<int[]> six(String text) {
    int gap = text.indexOf("::");
    if (gap < 0) {
      return words(text).filter(all -> all.length == WORDS);
    }
    Optional<int[]> head = words(text.substring(0, gap));
    Optional<int[]> tail = words(text.substring(gap + 2));
    // A gap stands for one word at least, and there is only one.
    if (head.isEmpty() || tail.isEmpty() || head.get().length + tail.get().length >= WORDS) {
      return Optional.empty();
    }
    int[] all = Arrays.copyOf(head.get(), WORDS);
    System.arraycopy(tail.get(), 0, all, WORDS - tail.get().length, tail.get().length);
    return Optional.of(all);
  }

  /** Words between colons, the last of which may be an address of IPv4 that stands for two. */
  private static Optional<int[]> words(String text) {
    if (text.isEmpty()) {
      return Optional.of(new int[0]);
    }
    String[] parts = text.split(":", -1);
    boolean mixed = parts[parts.length - 1].indexOf('.') >= 0;
    int[] words = new int[parts.length + (mixed ? 1 : 0)];
    for (int i = 0; i < parts.length - (mixed ? 1 : 0); i++) {
      if (!parts[i].matches("[0-9a-fA-F]{1,4}")) {
        return Optional.empty();
      }
      words[i] = Integer.parseInt(parts[i], 16);
    }
    if (mixed) {
      Optional<byte[]> four = four(parts[parts.length - 1]);
      if (four.isEmpty()) {
        return Optional.empty();
      }
      words[parts.length - 1] = (four.get()[0] & 0xff) << 8 | four.get()[1] & 0xff;
      words[parts.length] = (four.get()[2] & 0xff) << 8 | four.get()[3] & 0xff;
    }
    return Optional.of(words);
  }

  /** With the first of the longest runs of zeros left out, if it has more than one word. */
  private static String format(int[] words) {
    int begin = -1;
    int longest = 1;
    for (int i = 0; i < WORDS; i++) {
      int end = i;
      while (end < WORDS && words[end] == 0) {
        end++;
      }
      if (end - i > longest) {
        begin = i;
        longest = end - i;
      }
    }
    return begin < 0 ? join(words, 0, WORDS) : join(words, 0, begin) + "::" + join(words, begin + longest, WORDS);
  }

  private static String join(int[] words, int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      text.append(i == from ? "" : ":").append(Integer.toHexString(words[i]));
    }
    return text.toString();
  }
}
