// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.rpcbind;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import io.vertx.core.Future;
import java.util.Map;
import java.util.OptionalInt;

/** Has the NULL procedure alone, which is answered for it. */
record NullService(int program) implements RpcService {

  @Override
  public UpperLayerBinding binding() {
    return new UpperLayerBinding("Registered", program, 1, OptionalInt.empty(), Map.of());
  }

  @Override
  public Future<XdrEncoder> handle(RpcCall call) {
    return Future.succeededFuture(XdrEncoder.VOID);
  }
}
