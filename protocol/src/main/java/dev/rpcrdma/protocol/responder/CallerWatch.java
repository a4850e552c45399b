// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.responder;

/** Hears of the caller of a call that a service has, on the connection's thread. */
@FunctionalInterface
public interface CallerWatch {

  /** Nobody waits for the call any more; called once at most. */
  void gone();

  /** The connection is lost. The caller may come again with the same call, and have the outcome then. */
  default void lost() {}
}
