// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

/** Checks of values about to be written. */
final class Values {

  private Values() {}

  static <T> T present(T value, String what) {
    if (value == null) {
      throw new NullPointerException(what + " must not be null");
    }
    return value;
  }

  static void fits(int size, int max, String what) {
    if (size > max) {
      throw new IllegalArgumentException(what + " has a length of " + size
          + ", which exceeds its bound of " + max);
    }
  }
}
