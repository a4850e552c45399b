// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.api.CallInterceptor;
import dev.rpcrdma.api.RpcAccess;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.ServiceInterceptor;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import io.vertx.core.Future;
import java.util.List;

/**
 * What stands around calls and services of one client or server.
 *
 * @param calls those of calls, the application's nearest first
 * @param services those of services, the one that hears first first
 */
public record Interceptors(List<CallInterceptor> calls, List<ServiceInterceptor> services) {

  /** Nothing. */
  public static final Interceptors NONE = new Interceptors(List.of(), List.of());

  /** Takes copies. */
  public Interceptors {
    calls = List.copyOf(calls);
    services = List.copyOf(services);
  }

  /** A caller whose calls go through them. */
  public RpcCaller around(RpcCaller innermost) {
    RpcCaller caller = innermost;
    for (int i = calls.size() - 1; i >= 0; i--) {
      caller = new Intercepted(calls.get(i), caller);
    }
    return caller;
  }

  private record Intercepted(CallInterceptor interceptor, RpcCaller next) implements RpcCaller {

    @Override
    public <T> Future<T> call(RpcRequest<T> request) {
      try {
        Future<T> outcome = interceptor.call(request, next);
        return outcome == null ? Future.failedFuture(noFuture(interceptor)) : outcome;
      } catch (Throwable e) {
        return Future.failedFuture(e);
      }
    }
  }

  private static NullPointerException noFuture(Object interceptor) {
    return new NullPointerException("The interceptor " + interceptor.getClass().getName() + " returned no Future");
  }

  /** A service whose calls come through them. */
  public RpcService around(RpcService innermost) {
    RpcService service = services.isEmpty() ? innermost : new Awaited(innermost);
    for (int i = services.size() - 1; i >= 0; i--) {
      service = new Guarded(services.get(i), service);
    }
    return service;
  }

  /** A service whose calls may have waited for an interceptor, such as for its database. */
  private record Awaited(RpcService service) implements RpcService {

    @Override
    public UpperLayerBinding binding() {
      return service.binding();
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      return CallInService.begin(call, () -> service.handle(call));
    }

    @Override
    public RpcAccess access(int procedure) {
      return service.access(procedure);
    }
  }

  private record Guarded(ServiceInterceptor interceptor, RpcService next) implements RpcService {

    @Override
    public UpperLayerBinding binding() {
      return next.binding();
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      Future<XdrEncoder> results = interceptor.handle(call, next);
      return results == null ? Future.failedFuture(noFuture(interceptor)) : results;
    }

    @Override
    public RpcAccess access(int procedure) {
      return next.access(procedure);
    }
  }
}
