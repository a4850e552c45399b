// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.gss;

import java.util.HexFormat;

/** A context that calls of the capture name. */
sealed interface KnownContext permits FollowedContext, UnopenedContext {

  /** For people. */
  String name();

  /**
   * What a context is called.
   *
   * @param number from 1
   * @param handle the server's name of it
   */
  static String name(int number, byte[] handle) {
    return "context " + number + " (handle " + (handle.length == 0 ? "empty" : HexFormat.of().formatHex(handle)) + ")";
  }
}
