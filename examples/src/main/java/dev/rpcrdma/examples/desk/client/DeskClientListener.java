// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk.client;

import dev.rpcrdma.examples.desk.DeskEvents;

/** What a client of the desk hears: what the desk tells, and whether the desk can tell anything. */
public interface DeskClientListener extends DeskEvents {

  /**
   * There is a connection to the desk, or there is none any more.
   *
   * @param online true if there is one
   */
  void online(boolean online);

  /**
   * The desk cannot tell this client what it wanted to hear.
   *
   * @param cause why
   */
  void failed(Throwable cause);
}
