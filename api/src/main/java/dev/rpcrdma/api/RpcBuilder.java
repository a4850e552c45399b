// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.api.impl.call.Interceptors;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What the builders of clients and servers have in common: who watches calls, and who stands between them.
 *
 * @param <B> the builder
 */
public abstract sealed class RpcBuilder<B extends RpcBuilder<B>>
    permits RpcClient.RpcClientBuilder, RpcServer.RpcServerBuilder {

  private RpcStatistics statistics;
  private final List<CallInterceptor> calls = new ArrayList<>();
  private final List<ServiceInterceptor> services = new ArrayList<>();

  RpcBuilder() {}

  abstract B self();

  /**
   * Has calls counted and timed.
   *
   * @param value gathers what it, and others, do
   * @return this
   */
  public final B withStatistics(RpcStatistics value) {
    statistics = Objects.requireNonNull(value, "statistics");
    return self();
  }

  /**
   * Stands between the application and the calls that it makes: a client's calls, and a server's in the reverse
   * direction. The first that is added is nearest to the application.
   *
   * @param interceptor hears of each call
   * @return this
   */
  public final B addCallInterceptor(CallInterceptor interceptor) {
    calls.add(Objects.requireNonNull(interceptor, "interceptor"));
    return self();
  }

  /**
   * Stands between the calls that come and the services that serve them: at a server, and at a client that is called
   * in the reverse direction. The first that is added hears first.
   *
   * @param interceptor hears of each call
   * @return this
   */
  public final B addServiceInterceptor(ServiceInterceptor interceptor) {
    services.add(Objects.requireNonNull(interceptor, "interceptor"));
    return self();
  }

  final RpcStatistics statistics() {
    return statistics;
  }

  final Interceptors interceptors() {
    return new Interceptors(calls, services);
  }
}
