// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import dev.rpcrdma.api.CallInterceptor;
import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.ServiceBinding;
import dev.rpcrdma.api.ServiceInterceptor;
import dev.rpcrdma.api.TokenVerifier;
import dev.rpcrdma.api.spi.TransportOptions;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.service.eventbus.impl.BusEndpoint;
import dev.rpcrdma.service.eventbus.impl.EndpointSettings;
import dev.rpcrdma.service.impl.DebugInfo;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.tracing.TracingPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Registers annotated interfaces on the event bus. For one thread; may be used again for another registration.
 *
 * <pre>{@code
 * new RpcServiceBinder(vertx).setAddress("orders").register(Orders.class, new OrderDesk());
 * }</pre>
 *
 * <p>A service runs on a duplicate of the context that it was registered on, with {@link
 * dev.rpcrdma.api.RpcCall#current} set; {@link dev.rpcrdma.api.RpcCall#connection} throws there, {@link
 * dev.rpcrdma.api.RpcCall#peer} is who calls. A registration is closed with that context.
 */
public final class RpcServiceBinder {

  /** How many calls may be executed at once. */
  public static final int DEFAULT_MAX_CALLS = 10_000;

  private final Vertx vertx;
  private final List<ServiceInterceptor> services = new ArrayList<>();
  private final List<CallInterceptor> calls = new ArrayList<>();
  private String address;
  private Duration timeout = RpcOptions.DEFAULT_SERVICE_TIMEOUT;
  private boolean includeDebugInfo;
  private int maxCalls = DEFAULT_MAX_CALLS;
  private TracingPolicy tracing = TracingPolicy.PROPAGATE;
  private TokenVerifier tokens;

  /**
   * A binder without an address.
   *
   * @param vertx the instance that services live in
   */
  public RpcServiceBinder(Vertx vertx) {
    this.vertx = Objects.requireNonNull(vertx, "vertx");
  }

  /**
   * Sets where to register.
   *
   * @param value any address of the event bus
   * @return this
   */
  public RpcServiceBinder setAddress(String value) {
    address = Objects.requireNonNull(value, "address");
    return this;
  }

  /**
   * Sets how long a service may take: then its call is answered SYSTEM_ERR, unless its caller waited no longer than
   * until then.
   *
   * @param value 1 ms to 1 day; by default {@link RpcOptions#DEFAULT_SERVICE_TIMEOUT}
   * @return this
   */
  public RpcServiceBinder setTimeout(Duration value) {
    if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException("A service's timeout is 1 ms to 1 day, not " + value);
    }
    timeout = value;
    return this;
  }

  /**
   * Sets whether callers hear why a service has failed that did not mean to. They then get a {@link
   * io.vertx.serviceproxy.ServiceException} with the code -1, or 500 if the failure was thrown, and the debug info of
   * vertx-service-proxy ({@code causeName}, {@code causeMessage}, {@code causeStackTrace}), of which as many frames
   * cross as there is room for. Otherwise they get SYSTEM_ERR, and the log has the cause; from programs with {@link
   * dev.rpcrdma.service.Failures#MESSAGES} the message. From programs with {@link dev.rpcrdma.service.Failures#NONE}
   * they get SYSTEM_ERR always. An exception that throws when it is asked for its message or its stack arrives as if
   * this were false.
   *
   * @param value false by default
   * @return this
   */
  public RpcServiceBinder setIncludeDebugInfo(boolean value) {
    includeDebugInfo = value;
    return this;
  }

  /**
   * Sets how many calls of one registration may be executed at once. One more is not executed, and fails with an
   * {@link dev.rpcrdma.api.RpcResourceException}. A call that was cancelled, or has taken its time, counts until its
   * service has answered, but no longer than another timeout.
   *
   * @param value at least 1; by default {@link #DEFAULT_MAX_CALLS}
   * @return this
   */
  public RpcServiceBinder setMaxCalls(int value) {
    if (value < 1) {
      throw new IllegalArgumentException("maxCalls is at least 1, not " + value);
    }
    maxCalls = value;
    return this;
  }

  /**
   * Sets whether calls that are served have spans.
   *
   * @param value by default those that are parts of a trace
   * @return this
   */
  public RpcServiceBinder setTracingPolicy(TracingPolicy value) {
    tracing = Objects.requireNonNull(value, "tracingPolicy");
    return this;
  }

  /**
   * Stands before services. The first that is added hears first.
   *
   * @param interceptor hears of each call
   * @return this
   */
  public RpcServiceBinder addInterceptor(ServiceInterceptor interceptor) {
    services.add(Objects.requireNonNull(interceptor, "interceptor"));
    return this;
  }

  /**
   * Stands between services and their calls to {@link dev.rpcrdma.api.RpcCall#peer}. The first that is added is nearest
   * to the service.
   *
   * @param interceptor hears of each call
   * @return this
   */
  public RpcServiceBinder addCallInterceptor(CallInterceptor interceptor) {
    calls.add(Objects.requireNonNull(interceptor, "interceptor"));
    return this;
  }

  /**
   * Judges the token of each call that has one, in its header {@code auth-token}. A call whose token is refused is
   * answered AUTH_ERROR; one without a token is let in, at most with the {@link dev.rpcrdma.api.RpcCall#user} that its
   * AUTH_SYS credential names, which proves nothing, unless {@link ServiceInterceptor#requireProvenUser} is added.
   *
   * @param verifier is called once for each call, on the event loop of the registration, without a connection
   * @return this
   */
  public RpcServiceBinder withTokens(TokenVerifier verifier) {
    tokens = Objects.requireNonNull(verifier, "verifier");
    return this;
  }

  /**
   * Registers an implementation, for callers on all nodes.
   *
   * @param type the interface
   * @param implementation is called for each call
   * @param <S> the interface
   * @return completes when all nodes know
   * @throws IllegalStateException if no address was set
   * @throws IllegalArgumentException if no code was generated for the interface
   */
  public <S> Future<RpcRegistration> register(Class<S> type, S implementation) {
    return register(List.of(service(type, implementation)), false);
  }

  /**
   * Registers an implementation, for callers of the same Vert.x.
   *
   * @param type the interface
   * @param implementation is called for each call
   * @param <S> the interface
   * @return completes when it is registered
   * @throws IllegalStateException if no address was set
   * @throws IllegalArgumentException if no code was generated for the interface
   */
  public <S> Future<RpcRegistration> registerLocal(Class<S> type, S implementation) {
    return register(List.of(service(type, implementation)), true);
  }

  /**
   * Registers several services at one address. Those that are registered by calls of their own would have messages in
   * turn, whatever program these are for.
   *
   * @param all each of a program, or version, of its own; see {@link #service}
   * @param localOnly whether only for callers of the same Vert.x
   * @return completes when all nodes know
   * @throws IllegalStateException if no address was set
   * @throws IllegalArgumentException if two of them have the same program and version
   */
  public Future<RpcRegistration> register(List<RpcService> all, boolean localOnly) {
    if (address == null) {
      throw new IllegalStateException("Set the address first");
    }
    BusEndpoint endpoint = new BusEndpoint(vertx, all, new EndpointSettings(address, localOnly, services, calls, tokens,
        new TransportOptions(timeout, OpaqueAuth.NONE, tracing, maxCalls)), null);
    RpcRegistration registration = new RpcRegistration(address, endpoint);
    return endpoint.open().map(registration);
  }

  /**
   * A service to be registered with others; with debug info, if that was asked for.
   *
   * @param type the interface
   * @param implementation is called for each call
   * @param <S> the interface
   * @return the service
   */
  public <S> RpcService service(Class<S> type, S implementation) {
    ServiceBinding<S> binding = ServiceBinding.of(type);
    Objects.requireNonNull(implementation, "implementation");
    RpcService service = binding.service(implementation);
    return includeDebugInfo ? DebugInfo.including(service) : service;
  }
}
