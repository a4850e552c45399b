// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.security;

import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrReader;

/** The verdict on a call that is about security itself: it is answered here, and no service sees it. */
public interface ControlCall extends CallSecurity {

  /** The call, as who answers it sees it. */
  interface Exchange {

    /**
     * The arguments, to be read once, before the call is answered.
     *
     * @return the reader, at the first argument
     */
    XdrReader arguments();

    /**
     * Answers with results; from any thread.
     *
     * @param results writes them
     */
    void reply(XdrEncoder results);

    /**
     * Answers without results; from any thread.
     *
     * @param status why
     */
    void fail(AcceptStatus status);
  }

  /**
   * Answers the call, now or later.
   *
   * @param call with its arguments
   */
  void serve(Exchange call);
}
