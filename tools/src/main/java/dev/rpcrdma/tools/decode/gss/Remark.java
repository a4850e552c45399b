// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.gss;

/**
 * What there is to say of a message.
 *
 * @param text in one line, for people
 * @param important whether it is said to who wants to hear of what is wrong alone
 */
public record Remark(String text, boolean important) {

  static Remark of(String text) {
    return new Remark(text, false);
  }
}
