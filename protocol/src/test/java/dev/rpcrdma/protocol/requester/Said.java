// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import dev.rpcrdma.protocol.binding.ResultRoom;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.List;
import java.util.Optional;

/**
 * What a call of a test says.
 *
 * @param results room for those that may be placed
 * @param typicalResults what they mostly are
 * @param maxResults the largest results
 */
public record Said(int program, int procedure, Credential credential, PayloadStream arguments, List<Room> results,
    int typicalResults, int maxResults) {

  /**
   * Room for one DDP-eligible result.
   *
   * @param maxLength the largest item
   * @param target the application's memory for it; empty for pool memory
   */
  public record Room(int maxLength, Optional<? extends DataItem> target) implements ResultRoom {}

  /** Calls a procedure of program 7. */
  public static Said procedure(int number, XdrWriter arguments, List<Room> results, int maxResults) {
    return new Said(7, number, OpaqueAuth.NONE, arguments.toPayloadStream(), results, maxResults, maxResults);
  }

  /** Calls procedure 5 of program 9. */
  public static Said of(XdrWriter arguments, List<Room> results, int maxResults) {
    return new Said(9, 5, OpaqueAuth.NONE, arguments.toPayloadStream(), results, maxResults, maxResults);
  }

  /** Calls procedure 5 of program 9 without arguments. */
  public static Said nothing(int maxResults) {
    return of(new XdrWriter(), List.of(), maxResults);
  }

  /** Somebody else calls. */
  public Said by(Credential caller) {
    return new Said(program, procedure, caller, arguments, results, typicalResults, maxResults);
  }

  /** Results are mostly of that size; 0 if nobody knows. */
  public Said typically(int bytes) {
    return new Said(program, procedure, credential, arguments, results, bytes, maxResults);
  }
}
