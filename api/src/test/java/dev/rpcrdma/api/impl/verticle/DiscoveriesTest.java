// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.verticle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerVerticle;
import dev.rpcrdma.api.resolver.ProgramAddress;
import dev.rpcrdma.api.resolver.ServiceName;
import dev.rpcrdma.api.resolver.StaticResolver;
import dev.rpcrdma.api.spi.ServerDiscovery;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.fabric.MemoryProvider;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ways to find servers that optional modules bring, and those that they do not. */
class DiscoveriesTest {

  private static final List<Object> ADVERTISED = new CopyOnWriteArrayList<>();

  /** One of another module; it reads the numbers of a program, and tells who is made known. */
  public static final class Written implements ServerDiscovery {

    @Override
    public String key() {
      return "written";
    }

    @Override
    public Target find(JsonObject json, Optional<ProgramAddress> program) {
      ServiceName name = ServiceName.of(program.map(Object::toString).orElse("nobody"));
      return new Target(name, StaticResolver.of(Map.of(name.name(), List.of(SocketAddress.inetSocketAddress(1, "h")))));
    }

    @Override
    public Function<RpcServer, Future<?>> advertise(Vertx vertx, JsonObject json) {
      if (json.isEmpty()) {
        throw new IllegalArgumentException("written is empty");
      }
      return server -> {
        ADVERTISED.add(server.actualPort());
        return json.getBoolean("fails", false) ? Future.failedFuture("nobody hears") : Future.succeededFuture();
      };
    }
  }

  /** One that cannot be made. */
  public static final class Broken implements ServerDiscovery {

    /** Fails. */
    public Broken() {
      throw new IllegalStateException("broken on purpose");
    }

    @Override
    public String key() {
      return "broken";
    }

    @Override
    public Target find(JsonObject json, Optional<ProgramAddress> program) {
      throw new AssertionError();
    }

    @Override
    public Function<RpcServer, Future<?>> advertise(Vertx vertx, JsonObject json) {
      throw new AssertionError();
    }
  }

  /** Another one with a key of its own, and one more that has the same. */
  public static class Second implements ServerDiscovery {

    @Override
    public String key() {
      return "second";
    }

    @Override
    public Target find(JsonObject json, Optional<ProgramAddress> program) {
      ServiceName name = ServiceName.of(getClass().getSimpleName());
      return new Target(name, StaticResolver.of(Map.of(name.name(), List.of(SocketAddress.inetSocketAddress(1, "h")))));
    }

    @Override
    public Function<RpcServer, Future<?>> advertise(Vertx vertx, JsonObject json) {
      return server -> {
        ADVERTISED.add("second");
        return json.getBoolean("fails", false) ? Future.failedFuture("second fails") : Future.succeededFuture();
      };
    }
  }

  /** Found after the one that has the same key. */
  public static final class Late extends Second {}

  /** One whose key has a meaning of its own, or which has none. */
  public abstract static class Misnamed implements ServerDiscovery {

    private final String key;

    Misnamed(String key) {
      this.key = key;
    }

    @Override
    public String key() {
      return key;
    }

    @Override
    public Target find(JsonObject json, Optional<ProgramAddress> program) {
      throw new AssertionError();
    }

    @Override
    public Function<RpcServer, Future<?>> advertise(Vertx vertx, JsonObject json) {
      throw new AssertionError();
    }
  }

  /** One with a client's and a server's key. */
  public static final class Host extends Misnamed {

    /** Made by ServiceLoader. */
    public Host() {
      super("host");
    }
  }

  /** One with a client's key. */
  public static final class Servers extends Misnamed {

    /** Made by ServiceLoader. */
    public Servers() {
      super("servers");
    }
  }

  /** One with a server's key. */
  public static final class Services extends Misnamed {

    /** Made by ServiceLoader. */
    public Services() {
      super("services");
    }
  }

  /** One without a key. */
  public static final class Keyless extends Misnamed {

    /** Made by ServiceLoader. */
    public Keyless() {
      super(null);
    }
  }

  /** One that cannot tell its key. */
  public static final class Mute extends Misnamed {

    /** Made by ServiceLoader. */
    public Mute() {
      super(null);
    }

    @Override
    public String key() {
      throw new NoClassDefFoundError("com/example/Missing");
    }
  }

  @TempDir
  private Path folder;

  private final ClassLoader before = Thread.currentThread().getContextClassLoader();

  @BeforeEach
  void provide() throws Exception {
    name("no.such.Discovery", Broken.class.getName(), Written.class.getName());
    Thread.currentThread().setContextClassLoader(
        new URLClassLoader(new URL[] {folder.toUri().toURL()}, before));
    ADVERTISED.clear();
  }

  private void name(String... discoveries) throws IOException {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.write(services.resolve(ServerDiscovery.class.getName()), List.of(discoveries));
  }

  @AfterEach
  void restore() {
    Thread.currentThread().setContextClassLoader(before);
  }

  private static ServersConfig client(String json) {
    return VerticleConfig.ofClient(new JsonObject(json), "callbacks").servers(Optional.of(ProgramAddress.of(7, 8)));
  }

  /** Fails if {@code ServersConfig.of} hands over anything but the value of the key, and the program. */
  @Test
  @DisplayName("A client finds its servers by the key of another module, beside some that cannot be made")
  void found() {
    assertThat(client("{\"written\": {}}").address())
        .isEqualTo(ServiceName.of(ProgramAddress.of(7, 8).toString()));
    assertThatThrownBy(() -> client("{\"written\": []}")).hasMessageContaining("written is an object, not []");
    assertThatThrownBy(() -> client("{\"written\": {}, \"dns\": {}}"))
        .hasMessageContaining("host and port, servers, dns, cluster or written, one of them alone");
  }

  /** Fails if {@code Discoveries} lets through what a discovery throws that cannot tell its key. */
  @Test
  @DisplayName("A discovery that cannot tell its key affects no other one")
  void mute() throws IOException {
    name(Mute.class.getName(), Written.class.getName());
    assertThat(client("{\"written\": {}}").address()).isEqualTo(ServiceName.of(ProgramAddress.of(7, 8).toString()));
  }

  /** Fails if {@code OptionalModules.missing} does not tell what could not be made. */
  @Test
  @DisplayName("A key whose module is missing names its artifact, and what could not be made")
  void missing() {
    assertThatThrownBy(() -> client("{\"cluster\": {}}")).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cluster needs the artifact vertx-rpcrdma-cluster")
        .hasMessageContaining("no.such.Discovery").hasMessageContaining("Broken");
  }

  private static Future<String> deploy(Vertx vertx, String json) {
    JsonObject config = new JsonObject(json).put("host", "127.0.0.1").put("port", 0)
        .put("options", new JsonObject().put("provider", MemoryProvider.NAME));
    return vertx.deployVerticle(RpcServerVerticle.class.getName(), new DeploymentOptions().setConfig(config));
  }

  /** Fails if {@code VerticleConfig.listen} does not wait for it, or tells before the server listens. */
  @Test
  @DisplayName("A server makes itself known when it listens; what is wrong with that, or missing, fails its deployment")
  void advertised() {
    Vertx vertx = Vertx.vertx();
    assertThat(Waiting.awaitFailure(deploy(vertx, "{\"written\": {}}"))).hasMessage("written is empty");
    assertThat(Waiting.awaitFailure(deploy(vertx, "{\"cluster\": {}}")))
        .hasMessageContaining("vertx-rpcrdma-cluster");
    assertThat(ADVERTISED).isEmpty();
    assertThat(Waiting.awaitFailure(deploy(vertx, "{\"written\": {\"fails\": true}}"))).hasMessage("nobody hears");
    Waiting.await(deploy(vertx, "{\"written\": {\"fails\": false}}"));
    assertThat(ADVERTISED).hasSize(2).allSatisfy(port -> assertThat((int) port).isPositive());
    Waiting.await(vertx.close());
  }

  /** Fails if {@code Discoveries} lets another module have a key that has a meaning of its own, or none. */
  @Test
  @DisplayName("A discovery never takes a key that configurations have for something else")
  void builtIn() throws IOException {
    name(Host.class.getName(), Servers.class.getName(), Services.class.getName(), Keyless.class.getName(),
        Written.class.getName());
    assertThat(client("{\"host\": \"h\", \"port\": 1}").address()).isEqualTo(SocketAddress.inetSocketAddress(1, "h"));
    assertThat(client("{\"servers\": [\"h:1\"]}").address()).isEqualTo(ServiceName.of("servers"));
    assertThatThrownBy(() -> client("{\"callback\": []}")).hasMessageContaining("callbacks, cluster, dns")
        .hasMessageContaining("written");
    Vertx vertx = Vertx.vertx();
    Waiting.await(deploy(vertx, "{\"services\": [], \"written\": {\"fails\": false}}"));
    Waiting.await(vertx.close());
  }

  /** Fails if {@code Discoveries.byKey} has the last one, or {@code ServersConfig.of} loses the load balancer. */
  @Test
  @DisplayName("The first of two discoveries of a key is used, with the load balancer of the configuration")
  void first() throws IOException {
    name(Second.class.getName(), Late.class.getName());
    ServersConfig config = client("{\"second\": {}, \"loadBalancer\": \"random\"}");
    assertThat(config.address()).isEqualTo(ServiceName.of("Second"));
    assertThat(config.balancer()).isSameAs(LoadBalancer.RANDOM);
    assertThatThrownBy(() -> client("{\"second\": {}, \"port\": 1}")).hasMessageContaining("one of them alone");
  }

  /** Fails if {@code VerticleConfig.listen} leaves one of several out, or does not wait for it. */
  @Test
  @DisplayName("A server makes itself known in each way that its configuration names; each can fail its deployment")
  void several() throws IOException {
    name(Second.class.getName(), Written.class.getName());
    Vertx vertx = Vertx.vertx();
    assertThat(Waiting.awaitFailure(deploy(vertx, "{\"second\": {}, \"written\": {}}"))).hasMessage("written is empty");
    assertThat(ADVERTISED).isEmpty();
    Waiting.await(deploy(vertx, "{\"second\": {}, \"written\": {\"fails\": false}}"));
    assertThat(ADVERTISED).hasSize(2).contains("second");
    assertThat(Waiting.awaitFailure(deploy(vertx, "{\"second\": {}, \"written\": {\"fails\": true}}")))
        .hasMessage("nobody hears");
    assertThat(Waiting.awaitFailure(deploy(vertx, "{\"second\": {\"fails\": true}, \"written\": {\"a\": 1}}")))
        .hasMessage("second fails");
    Waiting.await(vertx.close());
  }
}
