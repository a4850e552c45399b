// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.impl;

import java.nio.charset.StandardCharsets;

/** Words of failures as they cross: a failure reaches its caller whatever its words are. */
public final class WholeText {

  private WholeText() {}

  /** Returns whether a text can cross as it is: UTF-8 has no halves of surrogate pairs. */
  public static boolean isWhole(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        // Few texts have surrogates, and an encoder costs more than a short text.
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
      }
    }
    return true;
  }

  /** Replaces halves of surrogate pairs, which UTF-8 does not have, by question marks. */
  public static String of(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
