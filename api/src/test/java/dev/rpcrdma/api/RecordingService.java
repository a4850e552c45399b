// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import io.vertx.core.Future;
import java.util.List;

/**
 * Writes down what comes, and echoes it.
 *
 * @param order texts, in the order in which they have come
 */
record RecordingService(List<String> order) implements RpcService {

  @Override
  public UpperLayerBinding binding() {
    return EchoService.BINDING;
  }

  @Override
  public Future<XdrEncoder> handle(RpcCall call) {
    byte[] bytes = call.arguments().opaque(100);
    order.add(new String(bytes));
    return Future.succeededFuture(writer -> writer.opaque(bytes));
  }
}
