package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.binding.ResultRoom;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import java.util.List;

/**
 * A call as its caller sees it: bytes that belong to no connection, so that it can be sent again on
 * another one. Who makes it keeps its items alive, and all that it says as it is, until its
 * {@link CallListener} has heard.
 */
public interface Call {

  /**
   * The program's number.
   *
   * @return an unsigned number
   */
  int program();

  /**
   * The program's version.
   *
   * @return an unsigned number
   */
  int version();

  /**
   * The procedure's number.
   *
   * @return an unsigned number
   */
  int procedure();

  /**
   * Who calls.
   *
   * @return writes credential and verifier, and judges those of replies
   */
  Credential credential();

  /**
   * The encoded arguments.
   *
   * @return with the items that may leave them
   */
  PayloadStream arguments();

  /**
   * Room for DDP-eligible results.
   *
   * @return in the order of the results
   */
  List<? extends ResultRoom> placedResults();

  /**
   * The largest results, without placed items but with their length words.
   *
   * @return a number of bytes, not negative
   */
  int maxResults();
}
