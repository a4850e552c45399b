package dev.rpcrdma.protocol.channel;

import dev.rpcrdma.protocol.connection.Call;
import dev.rpcrdma.protocol.connection.CallListener;
import dev.rpcrdma.protocol.connection.ConnectionMachine;

/** A connection as a channel sees it. */
@FunctionalInterface
public interface Line {

  /**
   * Sends a call; see {@link ConnectionMachine#call(Call, CallListener, int, boolean, long)}.
   *
   * @param call what to call
   * @param listener gets the outcome
   * @param xid the channel's own
   * @param again true if another connection had taken it on
   * @param deadline when to give it up
   * @return to cancel it with
   */
  ConnectionMachine.CallHandle call(Call call, CallListener listener, int xid, boolean again,
      long deadline);
}
