// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import dev.rpcrdma.protocol.connection.ConnectionMachine;

/** A connection as a channel sees it. */
@FunctionalInterface
public interface Line {

  /**
   * Sends a call; see {@link ConnectionMachine#call}.
   *
   * @param call what to call; hears of its outcome
   * @param deadline when to give it up
   */
  void call(ChannelCall call, long deadline);

  /**
   * Whether the peer has said that it can be called in this way; see {@link ChannelMachine#resume}.
   *
   * @param call what to call
   * @return false if the call has to wait until the peer says so
   */
  default boolean takes(ChannelCall call) {
    return true;
  }
}
