// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.api.RpcAccess;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import io.vertx.core.Future;

/**
 * A service for some callers.
 *
 * @param service the service, which may have restrictions of its own
 * @param access who may call it at all
 */
public record RestrictedService(RpcService service, RpcAccess access) implements RpcService {

  @Override
  public UpperLayerBinding binding() {
    return service.binding();
  }

  @Override
  public Future<XdrEncoder> handle(RpcCall call) {
    return service.handle(call);
  }

  @Override
  public RpcAccess access(int procedure) {
    RpcAccess inner = service.access(procedure);
    return user -> access.accepts(user) && inner.accepts(user);
  }
}
