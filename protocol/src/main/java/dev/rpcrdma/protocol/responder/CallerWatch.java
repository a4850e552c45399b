// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.responder;

/** Listener for the caller of a call that a service executes. Called on the connection's thread. */
@FunctionalInterface
public interface CallerWatch {

  /** Called once when the caller has cancelled, timed out, or lost its session. */
  void gone();

  /** Called when the connection is lost. The caller may repeat the call over another connection. */
  default void lost() {}
}
