// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.replicated;

import java.util.HexFormat;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names a call for all servers that it may be sent to.
 *
 * <p>As text: {@code instance.slot.number}, such as {@code 6f1c…e2.3.41}; the instance in hexadecimal, slot and number
 * in decimal digits.
 *
 * @param instance of the client, 32 hexadecimal digits in lower case; drawn at random, and known to nobody else
 * @param slot not negative; a client has one call without an outcome in a slot at a time
 * @param number positive; rises within the slot
 */
public record CallIdentity(String instance, int slot, long number) {

  /** The header that a call has its identity in. */
  public static final String HEADER = "rpcrdma-call-identity";

  /** The bytes of an instance. */
  public static final int INSTANCE_LENGTH = 16;

  private static final Pattern TEXT = Pattern.compile("([0-9a-f]{32})\\.(\\d{1,9})\\.(\\d{1,18})");

  /** Checks the ranges. */
  public CallIdentity {
    Objects.requireNonNull(instance, "instance");
    if (slot < 0 || number < 1) {
      throw new IllegalArgumentException("A slot must not be negative, a number must be positive: " + slot + ", "
          + number);
    }
  }

  /**
   * The instance of a client as text.
   *
   * @param random {@link #INSTANCE_LENGTH} bytes
   * @return hexadecimal digits
   */
  public static String instance(byte[] random) {
    return HexFormat.of().formatHex(random);
  }

  /**
   * Reads what a client has sent.
   *
   * @param text see above
   * @return the identity
   * @throws IllegalArgumentException if it is none
   */
  public static CallIdentity parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("No identity of a call: '" + text + "'");
    }
    return new CallIdentity(matcher.group(1), Integer.parseInt(matcher.group(2)), Long.parseLong(matcher.group(3)));
  }

  /**
   * The key of the entry that all calls of this slot have, one after the other.
   *
   * @return text
   */
  public String key() {
    return instance + "." + slot;
  }

  @Override
  public String toString() {
    return key() + "." + number;
  }
}
