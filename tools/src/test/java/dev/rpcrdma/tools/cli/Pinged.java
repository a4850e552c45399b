// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;

/** Notes whose calls of its NULL procedure it serves, which is answered without a service otherwise. */
record Pinged(Queue<Optional<RpcUser>> users) implements RpcService {

  static final int PROGRAM = 0x20060044;

  @Override
  public UpperLayerBinding binding() {
    return new UpperLayerBinding("Pinged", PROGRAM, 1, OptionalInt.empty(),
        Map.of(0, new ProcedureBinding("NULL", 0, 0, ReplyBound.of(0))));
  }

  @Override
  public Future<XdrEncoder> handle(RpcCall call) {
    users.add(call.user());
    return Future.succeededFuture(XdrEncoder.VOID);
  }
}
