// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.binding.ResultRoom;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import java.util.List;

/**
 * A call as its caller sees it: what it says, what room it has for results, and who hears of its outcome. It belongs to
 * no connection; an {@link OutboundCall} carries it over one. Whoever makes it keeps its items alive, and all that it
 * says as it is, until its outcome.
 *
 * <p><b>Threads.</b> All methods are called on the connection's thread.
 */
public interface Call {

  /**
   * Returns what stands in front of the arguments, and the metadata behind them.
   *
   * @return the same for each transmission
   */
  CallHead head();

  /**
   * Returns the encoded arguments.
   *
   * @return with the items that may leave them
   */
  PayloadStream arguments();

  /**
   * Returns room for DDP-eligible results.
   *
   * @return in the order of the results
   */
  List<? extends ResultRoom> rooms();

  /**
   * Returns how large the other results may be.
   *
   * @return the same for each transmission
   */
  ResultBounds bounds();

  /**
   * Hears that the call has got further on its way.
   *
   * @param stage what it has behind it
   */
  default void reached(CallStage stage) {}

  /**
   * Hears how the call has ended. By then the peer can reach none of the caller's memory any more. May call back in.
   *
   * @param outcome the one outcome; a reply's results are valid only during this call, as are its data items unless
   *     they are retained
   */
  void outcome(Outcome outcome);
}
