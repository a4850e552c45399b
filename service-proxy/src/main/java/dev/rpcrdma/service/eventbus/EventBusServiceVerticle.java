// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.impl.verticle.VerticleConfig;
import dev.rpcrdma.verbs.options.JsonChecks;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A verticle that registers services on the event bus, and takes all from its configuration, so that it can be deployed
 * by name. Deployed n times it has n registrations, which get calls in turn; undeploying it lets calls finish.
 *
 * <pre>{@code
 * {
 *   "address": "orders",
 *   "services": [ { "interface": "com.example.Orders", "implementation": "com.example.OrderDesk" } ],
 *   "timeoutMillis": 5000,
 *   "includeDebugInfo": false,
 *   "localOnly": false,
 *   "maxCalls": 10000
 * }
 * }</pre>
 *
 * <p>Only the address need be there. {@code services} names annotated interfaces and classes that implement them, as
 * for {@link dev.rpcrdma.api.RpcServerVerticle}.
 */
public class EventBusServiceVerticle extends VerticleBase {

  private static final Set<String> KEYS =
      Set.of("address", "services", "timeoutMillis", "includeDebugInfo", "localOnly", "maxCalls");

  /** One day. */
  private static final int MOST_MILLIS = 86_400_000;

  private RpcRegistration registration;

  /** Creates an instance that takes all from its configuration. */
  public EventBusServiceVerticle() {}

  @Override
  public Future<?> start() {
    JsonObject json = config();
    VerticleConfig config = new VerticleConfig(json, KEYS);
    RpcServiceBinder binder = createBinder()
        .setAddress(JsonChecks.value(json, "address", String.class, "an address of the event bus"));
    if (json.containsKey("timeoutMillis")) {
      binder.setTimeout(Duration.ofMillis(JsonChecks.number(json, "timeoutMillis", 1, MOST_MILLIS,
          "a whole number of milliseconds, 1 to " + MOST_MILLIS)));
    }
    if (json.containsKey("maxCalls")) {
      binder.setMaxCalls(JsonChecks.number(json, "maxCalls", 1, Integer.MAX_VALUE,
          "a whole number, 1 to " + Integer.MAX_VALUE));
    }
    if (json.containsKey("includeDebugInfo")) {
      binder.setIncludeDebugInfo(JsonChecks.value(json, "includeDebugInfo", Boolean.class, "true or false"));
    }
    List<RpcService> services = new ArrayList<>();
    config.services("services", vertx).forEach(service -> services.add(service(binder, service)));
    return binder.register(services, JsonChecks.value(json, "localOnly", Boolean.class, "true or false", false))
        .onSuccess(registered -> registration = registered);
  }

  private static <S> RpcService service(RpcServiceBinder binder, VerticleConfig.Service<S> service) {
    return binder.service(service.type(), service.implementation());
  }

  /**
   * Makes the binder, which then gets what the configuration says; whoever wants interceptors or tokens makes it
   * otherwise.
   *
   * @return by default a binder with nothing else
   */
  protected RpcServiceBinder createBinder() {
    return new RpcServiceBinder(vertx);
  }

  @Override
  public Future<?> stop() {
    return registration == null ? Future.succeededFuture() : registration.shutdown(RpcOptions.DEFAULT_DRAIN_TIMEOUT);
  }

  /**
   * What is registered.
   *
   * @return known once deployed
   */
  public RpcRegistration registration() {
    return registration;
  }
}
