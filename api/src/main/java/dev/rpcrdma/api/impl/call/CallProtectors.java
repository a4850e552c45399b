// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.protocol.security.CallProtector;

/** What protects the calls to one peer. From any thread. */
@FunctionalInterface
public interface CallProtectors {

  /**
   * What protects calls of a program: a context is made by calls of its null procedure, which any peer that serves it
   * answers.
   *
   * @param program its number
   * @param version its version
   */
  CallProtector of(int program, int version);
}
