// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import dev.rpcrdma.siw.wire.TerminateMessage;

/** What arrives on a stream, told while its bytes are being handled. */
public interface StreamEvents {

  /**
   * A message has been delivered.
   *
   * @param id of the Receive that it took
   * @param length bytes of the message
   * @param invalidated whether it ended one of our exposures
   * @param tag the tag of that exposure
   */
  void received(long id, int length, boolean invalidated, int tag);

  /** The Response of a Read is complete; {@link RdmapEndpoint#sendQueue} knows which. */
  void readCompleted();

  /**
   * The peer has found an error and sends nothing more.
   *
   * @param message what it says
   */
  void terminated(TerminateMessage message);
}
