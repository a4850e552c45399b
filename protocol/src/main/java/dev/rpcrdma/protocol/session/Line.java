// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import dev.rpcrdma.protocol.connection.ConnectionMachine;
import dev.rpcrdma.protocol.requester.CallHead;
import dev.rpcrdma.protocol.requester.OutboundCall;

/** A connection as a channel sees it. */
@FunctionalInterface
public interface Line {

  /**
   * Sends a call; see {@link ConnectionMachine#call}.
   *
   * @param call what to call; hears of its outcome
   * @param deadline when to give it up
   */
  void call(OutboundCall call, long deadline);

  /**
   * Gives a call up that the line was given.
   *
   * @param call hears CANCELLED, unless it has its outcome
   * @param now the time
   */
  default void cancel(OutboundCall call, long now) {
    call.cancel(now);
  }

  /**
   * Whether the peer has said that it can be called in this way; see {@link ChannelMachine#resume}.
   *
   * @param head what to call
   * @return false if the call has to wait until the peer says so
   */
  default boolean takes(CallHead head) {
    return true;
  }
}
