// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.replies;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Sends small results back, whose interface bounds them or not, makes some without a bound, and sends large ones.
 *
 * @param large what large results are a part of
 */
public record ReplyService(Payload large) implements RpcService {

  static final int BOUNDED = 1;
  static final int UNBOUNDED = 2;
  static final int LARGE = 3;
  static final int MADE = 4;
  static final int MOST_SMALL = 2048;
  static final UpperLayerBinding BINDING = new UpperLayerBinding(0x200600B1, 1, OptionalInt.empty(),
      Map.of(BOUNDED, new ProcedureBinding("BOUNDED", 0, 0, ReplyBound.of(MOST_SMALL + 4)).asIdempotent(),
          UNBOUNDED, new ProcedureBinding("UNBOUNDED", 0, 0, ReplyBound.UNPREDICTABLE).asIdempotent(),
          LARGE, new ProcedureBinding("LARGE", 0, 1, ReplyBound.of(4)).asIdempotent(),
          MADE, new ProcedureBinding("MADE", 0, 0, ReplyBound.UNPREDICTABLE).asIdempotent()));

  /** Asks one of the first two procedures for bytes back. */
  static RpcRequest<Buffer> echo(int procedure, byte[] bytes) {
    return echo(procedure, bytes, CallOptions.DEFAULT);
  }

  /** The same, with options. */
  static RpcRequest<Buffer> echo(int procedure, byte[] bytes, CallOptions options) {
    return RpcRequest.to(BINDING, procedure).arguments(writer -> writer.opaque(bytes))
        .results(reader -> Buffer.buffer(reader.opaque(MOST_SMALL))).options(options).build();
  }

  /** Asks for bytes that are made for each call, which nothing says the number of but the argument. */
  static RpcRequest<byte[]> made(int length) {
    return RpcRequest.to(BINDING, MADE).arguments(writer -> writer.int32(length))
        .results(reader -> reader.opaque(length)).build();
  }

  @Override
  public UpperLayerBinding binding() {
    return BINDING;
  }

  @Override
  public Future<XdrEncoder> handle(RpcCall call) {
    if (call.procedure() == LARGE) {
      Payload part = large.slice(0, call.arguments().int32());
      return Future.succeededFuture(writer -> writer.dataItem(part));
    }
    byte[] bytes = call.procedure() == MADE ? new byte[call.arguments().int32()]
        : call.arguments().opaque(MOST_SMALL);
    return Future.succeededFuture(writer -> writer.opaque(bytes));
  }
}
