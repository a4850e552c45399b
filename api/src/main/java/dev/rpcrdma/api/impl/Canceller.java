package dev.rpcrdma.api.impl;

import dev.rpcrdma.protocol.connection.ConnectionMachine.CallHandle;

/** Who has made a call, and can give it up. */
interface Canceller {

  /**
   * Gives a call up, unless it has its outcome; on the loop.
   *
   * @param handle what making the call has returned
   */
  void cancel(CallHandle handle);
}
