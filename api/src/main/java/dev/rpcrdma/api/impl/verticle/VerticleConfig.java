package dev.rpcrdma.api.impl.verticle;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcServer;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The configuration of a verticle that was made without arguments; what is wrong with it is said by its key. */
public final class VerticleConfig {

  private static final Set<String> SERVICE_KEYS = Set.of("interface", "implementation");

  private final JsonObject json;

  /**
   * Takes the configuration of a server's or client's verticle.
   *
   * @param json what the verticle was deployed with
   * @param services the key of what it serves
   * @throws IllegalArgumentException if there are other keys
   */
  public VerticleConfig(JsonObject json, String services) {
    this(json, Set.of("host", "port", "options", services));
  }

  /**
   * Takes a configuration.
   *
   * @param json what somebody was configured with
   * @param keys what there may be
   * @throws IllegalArgumentException if there are other keys
   */
  public VerticleConfig(JsonObject json, Set<String> keys) {
    this.json = json;
    ConfigValues.checkKeys(json, keys, "the configuration");
  }

  /** Where to listen, or to connect to. */
  public SocketAddress address() {
    int port = ConfigValues.value(json, "port", Integer.class, "a port, 0 to 65535");
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException("port is a port, 0 to 65535, not " + port);
    }
    return SocketAddress.inetSocketAddress(port,
        ConfigValues.value(json, "host", String.class, "a host's name or address"));
  }

  /** The options, of which none need be there. */
  public JsonObject options() {
    return ConfigValues.value(json, "options", JsonObject.class, "an object", new JsonObject());
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
    JsonArray array = ConfigValues.value(json, key, JsonArray.class, "an array", new JsonArray());
    for (Object each : array) {
      if (!(each instanceof JsonObject service)) {
        throw new IllegalArgumentException(key + " is an array of objects with the keys interface and implementation,"
            + " not of " + each);
      }
      ConfigValues.checkKeys(service, SERVICE_KEYS, key);
      all.add(service(load(service, "interface"), load(service, "implementation"), vertx));
    }
    return all;
  }

  private static Class<?> load(JsonObject service, String key) {
    String name = ConfigValues.value(service, key, String.class, "the name of a class");
    try {
      ClassLoader loader = Thread.currentThread().getContextClassLoader();
      return Class.forName(name, true, loader == null ? VerticleConfig.class.getClassLoader() : loader);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(key + " is the name of a class, and there is none with the name " + name, e);
    }
  }

  private static <S> Service<S> service(Class<S> type, Class<?> implementation, Vertx vertx) {
    if (!type.isAssignableFrom(implementation)) {
      throw new IllegalArgumentException(implementation.getName() + " does not implement " + type.getName());
    }
    return new Service<>(type, type.cast(make(implementation, vertx)));
  }

  private static Object make(Class<?> type, Vertx vertx) {
    try {
      for (Constructor<?> constructor : type.getConstructors()) {
        if (List.of(constructor.getParameterTypes()).equals(List.of(Vertx.class))) {
          return constructor.newInstance(vertx);
        }
      }
      return type.getConstructor().newInstance();
    } catch (NoSuchMethodException | IllegalAccessException | InstantiationException e) {
      throw new IllegalArgumentException(type.getName() + " cannot be made: it needs to be public, with a public"
          + " constructor that takes a Vertx or nothing", e);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(type.getName() + " cannot be made: " + e.getCause(), e.getCause());
    }
  }
}
