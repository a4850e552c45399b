// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import dev.rpcrdma.api.CallInterceptor;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.ServiceBinding;
import dev.rpcrdma.api.impl.verticle.ServersConfig;
import dev.rpcrdma.api.impl.verticle.VerticleConfig;
import dev.rpcrdma.verbs.options.JsonChecks;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A channel over the transport that a configuration names: an address of the event bus, or a server or several, which
 * are reached over RDMA. Thread-safe.
 *
 * <pre>{@code
 * { "address": "orders", "options": { "timeouts": { "callTimeout": 5000 } } }
 * { "host": "10.0.0.7", "port": 20049, "options": { "timeouts": { "callTimeout": 5000 } } }
 * { "servers": [ "10.0.0.7:20049", "10.0.0.8:20049" ], "loadBalancer": "least_requests" }
 * }</pre>
 *
 * <p>Servers are named as for {@link dev.rpcrdma.api.RpcClientVerticle}, by DNS or in a cluster too.
 *
 * <p>{@code options} are those of {@link EventBusChannelOptions} or {@link RpcClientOptions}, and need not be there.
 */
public final class ConfiguredChannel implements RpcCaller {

  private final RpcCaller caller;
  private final Consumer<RpcService> binding;
  private final Supplier<Future<Void>> closing;

  private ConfiguredChannel(RpcCaller caller, Consumer<RpcService> binding, Supplier<Future<Void>> closing) {
    this.caller = caller;
    this.binding = binding;
    this.closing = closing;
  }

  /**
   * Makes a channel, which connects with the first call.
   *
   * @param vertx the instance it lives in
   * @param config see above
   * @param interceptors stand around its calls, the application's nearest first
   * @return a new channel, owned by the caller
   * @throws IllegalArgumentException if the configuration has another key, or a value that is not allowed; it says what
   *     is
   */
  public static ConfiguredChannel create(Vertx vertx, JsonObject config, CallInterceptor... interceptors) {
    return config.containsKey("address") ? ofEventBus(vertx, config, interceptors)
        : ofRdma(vertx, config, interceptors);
  }

  private static ConfiguredChannel ofEventBus(Vertx vertx, JsonObject config, CallInterceptor... interceptors) {
    VerticleConfig checked = new VerticleConfig(config, Set.of("address", "options"));
    EventBusChannel channel = EventBusChannel.create(vertx,
        JsonChecks.value(config, "address", String.class, "an address of the event bus"),
        new EventBusChannelOptions(checked.options()));
    for (CallInterceptor interceptor : interceptors) {
      channel.addCallInterceptor(interceptor);
    }
    return new ConfiguredChannel(channel, channel::bind, channel::close);
  }

  private static ConfiguredChannel ofRdma(Vertx vertx, JsonObject config, CallInterceptor... interceptors) {
    VerticleConfig checked = VerticleConfig.ofClient(config, "address");
    ServersConfig servers = checked.servers(Optional.empty());
    RpcClient.RpcClientBuilder builder =
        servers.prepare(RpcClient.builder(vertx).with(new RpcClientOptions(checked.options())));
    for (CallInterceptor interceptor : interceptors) {
      builder.addCallInterceptor(interceptor);
    }
    RpcClient client = builder.build();
    RpcChannel channel = client.channel(servers.address());
    return new ConfiguredChannel(channel, channel::bind, client::close);
  }

  @Override
  public <T> Future<T> call(RpcRequest<T> request) {
    return caller.call(request);
  }

  /**
   * Serves a program to who is called.
   *
   * @param service what to serve
   * @return this
   */
  public ConfiguredChannel bind(RpcService service) {
    binding.accept(service);
    return this;
  }

  /**
   * Serves an annotated interface to who is called.
   *
   * @param type the interface
   * @param implementation is called for each call
   * @param <S> the interface
   * @return this
   */
  public <S> ConfiguredChannel bind(Class<S> type, S implementation) {
    return bind(ServiceBinding.of(type).service(implementation));
  }

  /**
   * Closes in good order. Idempotent.
   *
   * @return completes when no call is left
   */
  public Future<Void> close() {
    return closing.get();
  }
}
