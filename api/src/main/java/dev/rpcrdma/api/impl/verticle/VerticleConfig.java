// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.verticle;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.resolver.ProgramAddress;
import dev.rpcrdma.verbs.options.JsonChecks;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The configuration of a verticle that was made without arguments; what is wrong with it is said by its key. */
public final class VerticleConfig {

  private static final Set<String> SERVICE_KEYS = Set.of("interface", "implementation");

  private final Discoveries discoveries;
  private final JsonObject json;

  /**
   * Takes the configuration of who listens.
   *
   * @param json what somebody was configured with
   * @param more a key besides those of each server
   * @throws IllegalArgumentException if there are other keys
   */
  public static VerticleConfig ofServer(JsonObject json, String more) {
    return of(json, Set.of("host", "port", "options", more));
  }

  /**
   * Takes the configuration of who connects.
   *
   * @param json what somebody was configured with
   * @param more a key besides those of each client
   * @throws IllegalArgumentException if there are other keys
   */
  public static VerticleConfig ofClient(JsonObject json, String more) {
    Set<String> keys = new HashSet<>(ServersConfig.KEYS);
    keys.addAll(Set.of("options", more));
    return of(json, keys);
  }

  private static VerticleConfig of(JsonObject json, Set<String> builtIn) {
    Discoveries discoveries = new Discoveries(json, builtIn);
    Set<String> keys = new HashSet<>(discoveries.keys());
    keys.addAll(builtIn);
    return new VerticleConfig(json, keys, discoveries);
  }

  /**
   * Takes a configuration.
   *
   * @param json what somebody was configured with
   * @param keys what there may be
   * @throws IllegalArgumentException if there are other keys
   */
  public VerticleConfig(JsonObject json, Set<String> keys) {
    this(json, keys, new Discoveries(json, keys));
  }

  private VerticleConfig(JsonObject json, Set<String> keys, Discoveries discoveries) {
    this.discoveries = discoveries;
    this.json = json;
    JsonChecks.checkKeys(json, keys, "the configuration");
  }

  /** Where to listen, or which one server to connect to. */
  public SocketAddress address() {
    return SocketAddress.inetSocketAddress(JsonChecks.number(json, "port", 0, 65535, "a port, 0 to 65535"),
        JsonChecks.value(json, "host", String.class, "a host's name or address"));
  }

  /**
   * Which servers to connect to.
   *
   * @param program what to look for, unless the configuration names another; empty if it has to
   */
  public ServersConfig servers(Optional<ProgramAddress> program) {
    return ServersConfig.of(this, json, discoveries, program);
  }

  /**
   * How a server begins to listen, and makes itself known where that is configured.
   *
   * @param vertx where the server is
   * @return completes when it is known; what is wrong with the configuration is thrown
   */
  public Future<RpcServer> listen(Vertx vertx, RpcServer server) {
    List<Function<RpcServer, Future<?>>> advertising = new ArrayList<>();
    for (String key : discoveries.keys()) {
      if (json.containsKey(key)) {
        advertising.add(discoveries.get(key).advertise(vertx,
            JsonChecks.value(json, key, JsonObject.class, "an object")));
      }
    }
    return server.listen(address())
        .compose(listens -> Future.all(advertising.stream().map(each -> each.apply(listens)).toList())).map(server);
  }

  /** The options, of which none need be there. */
  public JsonObject options() {
    return JsonChecks.value(json, "options", JsonObject.class, "an object", new JsonObject());
  }

  /**
   * An interface and what implements it.
   *
   * @param type the interface
   * @param implementation an instance
   * @param <S> the interface
   */
  public record Service<S>(Class<S> type, S implementation) {

    public void bindTo(RpcServer server) {
      server.bind(type, implementation);
    }

    public void bindTo(RpcChannel channel) {
      channel.bind(type, implementation);
    }
  }

  /**
   * What is to be served.
   *
   * @param key where it stands
   * @param vertx given to implementations that want one
   */
  public List<Service<?>> services(String key, Vertx vertx) {
    List<Service<?>> all = new ArrayList<>();
    JsonArray array = JsonChecks.value(json, key, JsonArray.class, "an array", new JsonArray());
    for (Object each : array) {
      if (!(each instanceof JsonObject service)) {
        throw new IllegalArgumentException(key + " is an array of objects with the keys interface and implementation,"
            + " not of " + each);
      }
      JsonChecks.checkKeys(service, SERVICE_KEYS, key);
      all.add(service(ConfiguredClass.load(service, "interface"),
          ConfiguredClass.load(service, "implementation"), vertx));
    }
    return all;
  }

  private static <S> Service<S> service(Class<S> type, Class<?> implementation, Vertx vertx) {
    if (!type.isAssignableFrom(implementation)) {
      throw new IllegalArgumentException(implementation.getName() + " does not implement " + type.getName());
    }
    return new Service<>(type, type.cast(ConfiguredClass.make(implementation, vertx)));
  }
}
