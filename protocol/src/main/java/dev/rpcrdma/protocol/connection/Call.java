package dev.rpcrdma.protocol.connection;

import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import java.util.List;
import java.util.Optional;

/**
 * A call as its caller sees it: bytes that belong to no connection, so that it can be sent again on
 * another one. Who makes it keeps its items alive until its {@link CallListener} has heard.
 *
 * @param program the program's number
 * @param version the program's version
 * @param procedure the procedure's number
 * @param credential who calls
 * @param arguments the encoded arguments
 * @param placedResults room for DDP-eligible results, in order
 * @param maxResults the largest results in bytes, without placed items but with their length words
 */
public record Call(
    int program,
    int version,
    int procedure,
    OpaqueAuth credential,
    PayloadStream arguments,
    List<PlacedResult> placedResults,
    int maxResults) {

  /**
   * Room for one DDP-eligible result.
   *
   * @param maxLength the largest item
   * @param target the application's memory for it; empty for pool memory
   */
  public record PlacedResult(int maxLength, Optional<DataItem> target) {}

  /** Checks the ranges. */
  public Call {
    placedResults = List.copyOf(placedResults);
    if (maxResults < 0) {
      throw new IllegalArgumentException("A reply bound must not be negative");
    }
  }
}
