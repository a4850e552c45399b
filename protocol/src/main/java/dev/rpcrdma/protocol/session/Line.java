package dev.rpcrdma.protocol.session;

import dev.rpcrdma.protocol.connection.ConnectionMachine;
import dev.rpcrdma.protocol.requester.Call;
import dev.rpcrdma.protocol.requester.CallHandle;
import dev.rpcrdma.protocol.requester.CallListener;
import java.util.OptionalInt;

/** A connection as a channel sees it. */
@FunctionalInterface
public interface Line {

  /**
   * Sends a call; see {@link ConnectionMachine#call(Call, CallListener, OptionalInt, boolean, long)}.
   *
   * @param call what to call
   * @param listener gets the outcome
   * @param xid the one that it was sent with before, if it was; the connection's from now on
   * @param again true if another connection had taken it on
   * @param deadline when to give it up
   * @return to cancel it with
   */
  CallHandle call(Call call, CallListener listener, OptionalInt xid, boolean again,
      long deadline);

  /**
   * Whether the peer has said that it can be called in this way; see {@link ChannelMachine#resume}.
   *
   * @param call what to call
   * @return false if the call has to wait until the peer says so
   */
  default boolean takes(Call call) {
    return true;
  }
}
