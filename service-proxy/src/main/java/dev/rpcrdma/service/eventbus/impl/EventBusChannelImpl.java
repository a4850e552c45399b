// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus.impl;

import dev.rpcrdma.api.CallInterceptor;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.ServiceInterceptor;
import dev.rpcrdma.api.spi.TransportCaller;
import dev.rpcrdma.api.spi.TransportOptions;
import dev.rpcrdma.service.eventbus.EventBusChannel;
import dev.rpcrdma.service.eventbus.EventBusChannelOptions;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Closeable;
import io.vertx.core.Completable;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** Calls to an address, and what is served to whoever is called there. */
public final class EventBusChannelImpl implements EventBusChannel, Closeable {

  private final Vertx vertx;
  private final String address;
  private final EventBusChannelOptions options;
  private final Context context;
  private final String id = UUID.randomUUID().toString();
  private final BusTransport transport;
  private final TransportCaller caller;
  /** Guarded by this. */
  private final List<CallInterceptor> calls = new ArrayList<>();
  /** Guarded by this. */
  private final List<ServiceInterceptor> guards = new ArrayList<>();
  /** Guarded by this. */
  private final List<RpcService> services = new ArrayList<>();
  /** Guarded by this: those that serve, or have served until more was bound. */
  private final List<BusEndpoint> endpoints = new ArrayList<>();
  /** Guarded by this; null until close. */
  private Future<Void> closed;
  private volatile RpcCaller outermost;

  /** See {@link EventBusChannel#create(Vertx, String, EventBusChannelOptions)}. */
  public EventBusChannelImpl(Vertx vertx, String address, EventBusChannelOptions options) {
    this.vertx = vertx;
    this.address = Objects.requireNonNull(address, "address");
    this.options = new EventBusChannelOptions(options);
    this.context = Contexts.unwrap(vertx.getOrCreateContext());
    this.transport = new BusTransport(vertx, address, id, options.isLocalOnly());
    this.caller = TransportCaller.create(vertx, transport, new TransportOptions(options.getCallTimeout(),
        options.getCredentials(), options.getTracingPolicy(), options.getMaxCalls()));
    this.outermost = caller;
    transport.on(caller);
    Contexts.addCloseHook(context, this);
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public <T> Future<T> call(RpcRequest<T> request) {
    return outermost.call(request);
  }

  @Override
  public int calls() {
    return caller.calls();
  }

  @Override
  public EventBusChannel setToken(String token) {
    transport.token(token);
    return this;
  }

  @Override
  public synchronized EventBusChannel addCallInterceptor(CallInterceptor interceptor) {
    calls.add(Objects.requireNonNull(interceptor, "interceptor"));
    outermost = caller.behind(calls);
    return this;
  }

  @Override
  public synchronized EventBusChannel addServiceInterceptor(ServiceInterceptor interceptor) {
    if (!services.isEmpty()) {
      throw new IllegalStateException("Interceptors of services are added before the first service is bound");
    }
    guards.add(Objects.requireNonNull(interceptor, "interceptor"));
    return this;
  }

  @Override
  public synchronized EventBusChannel bind(RpcService service) {
    if (closed != null) {
      throw new RpcClosedException("The channel is closed");
    }
    List<RpcService> all = new ArrayList<>(services);
    all.add(service);
    // Those that were called back at the address before may still call there.
    String where = Names.CALLBACKS_PREFIX + id + ':' + all.size();
    TransportOptions serving = new TransportOptions(options.getServiceTimeout(), options.getCredentials(),
        options.getTracingPolicy(), options.getMaxCalls());
    BusEndpoint endpoint = new BusEndpoint(vertx, all,
        new EndpointSettings(where, options.isLocalOnly(), guards, List.of(), null, serving), this);
    services.add(service);
    endpoints.add(endpoint);
    transport.callbacks(where, endpoint::open);
    return this;
  }

  @Override
  public synchronized Future<Void> close() {
    if (closed == null) {
      Contexts.removeCloseHook(context, this);
      List<Future<Void>> all = new ArrayList<>();
      endpoints.forEach(endpoint -> all.add(endpoint.shutdown(RpcOptions.DEFAULT_DRAIN_TIMEOUT)));
      all.add(caller.close(RpcOptions.DEFAULT_DRAIN_TIMEOUT));
      closed = Future.join(all).mapEmpty();
    }
    return closed;
  }

  @Override
  public void close(Completable<Void> completion) {
    close().onComplete(completion);
  }
}
