// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

/**
 * Counts how deeply structs of recursive types are nested, so that a message cannot overflow the
 * stack of its reader: four bytes can be one level.
 */
final class Depth {

  /** Levels of recursive structs in one message. */
  static final int MAX = 256;

  static final String EXCEEDED = "Structs are nested more than " + MAX + " deep";

  private int depth;

  /** Goes one level down; false if there are too many. */
  boolean enter() {
    return ++depth <= MAX;
  }

  void leave() {
    depth--;
  }
}
