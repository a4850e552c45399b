// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

/** A call that was made, as its caller sees it until the outcome. */
@FunctionalInterface
public interface CallHandle {

  /**
   * Gives a call up: it hears CANCELLED, unless it has its outcome. On the connection's thread.
   *
   * @param made what was made; without effect if this stands for another call by now
   * @param now the time
   */
  void cancel(Call made, long now);
}
