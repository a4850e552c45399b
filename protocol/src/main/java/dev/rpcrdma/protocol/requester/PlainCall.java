package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.binding.ResultRoom;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import java.util.List;
import java.util.Optional;

/**
 * A call that is no more than its parts.
 *
 * @param program the program's number
 * @param version the program's version
 * @param procedure the procedure's number
 * @param credential who calls
 * @param arguments the encoded arguments
 * @param placedResults room for DDP-eligible results, in order
 * @param maxResults the largest results in bytes, without placed items but with their length words
 */
public record PlainCall(
    int program,
    int version,
    int procedure,
    Credential credential,
    PayloadStream arguments,
    List<Room> placedResults,
    int maxResults) implements Call {

  /**
   * Room for one DDP-eligible result.
   *
   * @param maxLength the largest item
   * @param target the application's memory for it; empty for pool memory
   */
  public record Room(int maxLength, Optional<? extends DataItem> target) implements ResultRoom {}

  /** Checks the ranges. */
  public PlainCall {
    placedResults = List.copyOf(placedResults);
    if (maxResults < 0) {
      throw new IllegalArgumentException("A reply bound must not be negative");
    }
  }
}
