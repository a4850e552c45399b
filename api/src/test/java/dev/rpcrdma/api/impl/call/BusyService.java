// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import io.vertx.core.Future;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Queue;

/**
 * Blocks its thread in procedure 1.
 *
 * @param executed gets the names of procedures as they begin
 * @param block returns when procedure 1 may go on
 */
record BusyService(Queue<String> executed, Runnable block) implements RpcService {

  static final UpperLayerBinding BINDING = new UpperLayerBinding("Busy", 0x20060095, 1, OptionalInt.empty(),
      Map.of(1, new ProcedureBinding("first", 0, 0, ReplyBound.of(0)),
          2, new ProcedureBinding("inVain", 0, 0, ReplyBound.of(0)),
          3, new ProcedureBinding("remembered", 0, 0, ReplyBound.of(0)),
          4, new ProcedureBinding("last", 0, 0, ReplyBound.of(0))));

  @Override
  public UpperLayerBinding binding() {
    return BINDING;
  }

  @Override
  public Future<XdrEncoder> handle(RpcCall call) {
    executed.add(BINDING.procedures().get(call.procedure()).name());
    if (call.procedure() == 1) {
      block.run();
    }
    return Future.succeededFuture(XdrEncoder.VOID);
  }
}
