// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrReader;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;

/** A hand-written program that shows every form of message, and fails in every way. */
final class EchoService implements RpcService {

  static final int PROGRAM = 0x20060099;
  static final int ECHO = 1;
  static final int ECHO_PLACED = 2;
  static final int THROW = 3;
  static final int NEVER = 4;
  static final int BAD_RESULTS = 5;
  static final int STATUS = 6;
  static final int STRAY_ITEM = 7;
  static final int ZEROS = 8;

  static final UpperLayerBinding BINDING = new UpperLayerBinding(PROGRAM, 1, OptionalInt.empty(),
      Map.of(ECHO, new ProcedureBinding("ECHO", 0, 0, ReplyBound.UNPREDICTABLE),
          ECHO_PLACED, new ProcedureBinding("ECHO_PLACED", 1, 1, ReplyBound.of(4)),
          THROW, new ProcedureBinding("THROW", 0, 0, ReplyBound.of(0)),
          NEVER, new ProcedureBinding("NEVER", 0, 1, ReplyBound.of(0)),
          BAD_RESULTS, new ProcedureBinding("BAD_RESULTS", 0, 0, ReplyBound.of(0)),
          STATUS, new ProcedureBinding("STATUS", 0, 0, ReplyBound.of(0)),
          STRAY_ITEM, new ProcedureBinding("STRAY_ITEM", 0, 0, ReplyBound.of(8)),
          ZEROS, new ProcedureBinding("ZEROS", 0, 0, ReplyBound.UNPREDICTABLE)));

  final List<Promise<XdrEncoder>> never = new CopyOnWriteArrayList<>();

  @Override
  public UpperLayerBinding binding() {
    return BINDING;
  }

  @Override
  public Future<XdrEncoder> handle(RpcCall call) {
    XdrReader arguments = call.arguments();
    switch (call.procedure()) {
      case ECHO:
        byte[] bytes = arguments.opaque(Integer.MAX_VALUE);
        arguments.end();
        return Future.succeededFuture(writer -> writer.opaque(bytes));
      case ECHO_PLACED:
        DataItem item = arguments.dataItem(Integer.MAX_VALUE).retain();
        arguments.end();
        return Future.succeededFuture(writer -> writer.dataItem(item));
      case ZEROS:
        int length = arguments.int32();
        arguments.end();
        return Future.succeededFuture(writer -> writer.opaque(new byte[length]));
      case THROW:
        throw new IllegalStateException("thrown by the service, on purpose");
      case NEVER:
        Promise<XdrEncoder> promise = Promise.promise();
        never.add(promise);
        return promise.future();
      case BAD_RESULTS:
        return Future.succeededFuture(writer -> {
          throw new IllegalStateException("thrown by the encoder, on purpose");
        });
      case STATUS:
        throw new RpcStatusException(AcceptStatus.PROC_UNAVAIL, "on purpose");
      case STRAY_ITEM:
        return Future.succeededFuture(writer -> writer.dataItem(DataItem.of(new byte[4])));
      default:
        throw new AssertionError("Procedure " + call.procedure() + " is not in the binding");
    }
  }

  static RpcRequest<Buffer> echo(byte[] bytes) {
    return RpcRequest.to(BINDING, ECHO)
        .arguments(writer -> writer.opaque(bytes))
        .replyBound(ReplyBound.of(bytes.length + 8))
        .results(reader -> Buffer.buffer(reader.opaque(Integer.MAX_VALUE))).build();
  }

  /** Does not say how large the result may be. */
  static RpcRequest<Buffer> echoUnbounded(byte[] bytes) {
    return RpcRequest.to(BINDING, ECHO)
        .arguments(writer -> writer.opaque(bytes))
        .results(reader -> Buffer.buffer(reader.opaque(Integer.MAX_VALUE))).build();
  }

  /** Asks for so many zeros, and does not say how many there may be. */
  static RpcRequest<Integer> zeros(int length) {
    return RpcRequest.to(BINDING, ZEROS).arguments(writer -> writer.int32(length))
        .results(reader -> reader.opaque(Integer.MAX_VALUE).length).build();
  }

  static RpcRequest<Buffer> echoPlaced(DataItem item) {
    return RpcRequest.to(BINDING, ECHO_PLACED)
        .arguments(writer -> writer.dataItem(item))
        .placedResult(item.length())
        .replyBound(ReplyBound.of(4))
        .results(reader -> {
          Buffer copy = Buffer.buffer(reader.dataItem(Integer.MAX_VALUE).toByteArray());
          reader.end();
          return copy;
        }).build();
  }

  static RpcRequest<Void> call(int procedure) {
    return RpcRequest.to(BINDING, procedure).build();
  }
}
