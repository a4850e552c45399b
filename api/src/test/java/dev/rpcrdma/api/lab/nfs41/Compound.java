// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.lab.nfs41;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.AuthSys;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The one procedure of NFS version 4: operations in a row, up to the first that fails (§16.2). */
final class Compound {

  static final int MINOR_VERSION = 1;
  static final int MAX_TAG = 1024;

  private static final int COMPOUND = 1;
  /** Above a threshold, so that each call offers a Reply chunk; servers need not use it. */
  private static final ReplyBound RESULTS = ReplyBound.of(8192);
  /** What RFC 8267 §5 calls eligible is in none of the operations here. */
  private static final UpperLayerBinding BINDING = new UpperLayerBinding(100003, 4,
      OptionalInt.of(20049), Map.of(COMPOUND, new ProcedureBinding("COMPOUND", 0, 0, RESULTS)));

  private Compound() {}

  /** The request for some operations; it results in what the last of them does. */
  static <T> RpcRequest<T> of(List<Operation<?>> before, Operation<T> last) {
    return RpcRequest.to(BINDING, COMPOUND)
        .options(CallOptions.DEFAULT.withCredentials(
            new AuthSys(0, "lab", 0, 0, List.of()).toAuth()))
        .arguments(writer -> {
          writer.string("").int32(MINOR_VERSION).int32(before.size() + 1);
          before.forEach(operation -> encode(operation, writer));
          encode(last, writer);
        })
        .results(reader -> {
          // The status of all is that of the last operation done, which has its own again.
          reader.int32();
          reader.string(MAX_TAG);
          reader.int32();
          before.forEach(operation -> result(operation, reader));
          T result = result(last, reader);
          reader.end();
          return result;
        }).build();
  }

  private static void encode(Operation<?> operation, XdrWriter writer) {
    writer.int32(operation.number());
    operation.arguments().encode(writer);
  }

  private static <T> T result(Operation<T> operation, XdrReader reader) {
    int number = reader.int32();
    int status = reader.int32();
    if (status != 0 || number != operation.number()) {
      throw new XdrException("NFS status " + status + " of operation " + number + ", when "
          + operation.number() + " was next");
    }
    return operation.results().decode(reader);
  }
}
