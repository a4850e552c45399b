// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClientVerticle;
import dev.rpcrdma.service.fixture.Bare;
import dev.rpcrdma.service.fixture.Doubling;
import dev.rpcrdma.testkit.FreePort;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Verticles that are deployed by name, with nothing but JSON. */
class ConfiguredVerticlesTest {

  private static final String SERVER = "dev.rpcrdma.api.RpcServerVerticle";
  private static final Map<String, Integer> RESULTS = new ConcurrentHashMap<>();

  private final OnVertx onVertx = new OnVertx();
  private int port;

  /** Made with a Vert.x. */
  public static final class Adding implements Bare {

    private final Vertx vertx;

    public Adding(Vertx vertx) {
      this.vertx = Objects.requireNonNull(vertx);
    }

    @Override
    public Future<Integer> increment(int value) {
      // The client's own implementation has the answer.
      return RpcCall.current().connection().peer().proxy(Bare.class).increment(value)
          .map(back -> vertx == null ? -1 : back + 1);
    }

    @Override
    public Future<Void> nothing() {
      return Future.succeededFuture();
    }
  }

  /** An application's own. */
  public static final class Calling extends RpcClientVerticle {

    @Override
    protected Future<?> use(RpcChannel channel) {
      return channel.proxy(Bare.class).increment(20).onSuccess(value -> RESULTS.put("of 20", value));
    }
  }

  @BeforeEach
  void findPort() {
    port = FreePort.find();
  }

  @AfterEach
  void close() throws Throwable {
    onVertx.close();
  }

  private JsonObject config(String key, Class<?> implementation) {
    return new JsonObject().put("host", "127.0.0.1").put("port", port)
        .put("options", new JsonObject().put("timeouts", new JsonObject().put("callTimeout", 5_000)))
        .put(key, new JsonArray().add(new JsonObject().put("interface", Bare.class.getName())
            .put("implementation", implementation.getName())));
  }

  private Future<String> deploy(String name, JsonObject config) {
    return onVertx.vertx().deployVerticle(name, new DeploymentOptions().setConfig(config));
  }

  @Test
  void bothEndsFromJsonAlone() throws Throwable {
    onVertx.await(() -> onVertx.vertx().deployVerticle(SERVER,
        new DeploymentOptions().setConfig(config("services", Adding.class)).setInstances(2)));
    onVertx.await(() -> deploy(Calling.class.getName(), config("callbacks", Doubling.class)));
    assertThat(RESULTS).containsEntry("of 20", 41);
    onVertx.await(() -> deploy(RpcClientVerticle.class.getName(), config("callbacks", Doubling.class)));
  }

  private void refused(JsonObject config, String message) throws Throwable {
    Throwable failure = onVertx.await(() -> deploy(SERVER, config).transform(
        outcome -> Future.succeededFuture(outcome.cause())));
    assertThat(failure).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(message);
  }

  /** Fails if {@code VerticleConfig.listen} does not wait for the publication. */
  @Test
  void aServerThatCannotBePublishedIsNotDeployed() throws Throwable {
    JsonObject config = config("services", Adding.class);
    Throwable failure = onVertx.await(() -> deploy(SERVER, config.copy().put("host", "0.0.0.0")
        .put("cluster", new JsonObject())).transform(outcome -> Future.succeededFuture(outcome.cause())));
    assertThat(failure).isInstanceOf(IllegalStateException.class).hasMessageContaining("by which host others reach it");
    // It does not listen any more.
    onVertx.await(() -> deploy(SERVER, config.put("cluster", new JsonObject())));
  }

  @Test
  void whatIsWrongIsSaidByItsKey() throws Throwable {
    JsonObject good = config("services", Adding.class);
    refused(good.copy().put("prot", 1),
        "No such key in the configuration: prot; there are cluster, host, options, port, services");
    refused(good.copy().put("port", "20049"), "port is a port, 0 to 65535, not the text \"20049\"");
    refused(good.copy().put("port", 65536), "port is a port, 0 to 65535, not 65536");
    refused(good.copy().putNull("host"), "host is a host's name or address, not null");
    refused(good.copy().put("options", new JsonObject().put("replay", "SAFE")), "No such option: replay");
    refused(good.copy().put("services", "Adding"), "services is an array, not the text \"Adding\"");
    refused(good.copy().put("services", new JsonArray().add(1)), "array of objects");
    JsonObject service = new JsonObject().put("interface", Bare.class.getName());
    refused(good.copy().put("services", new JsonArray().add(service)),
        "implementation is missing: the name of a class");
    refused(good.copy().put("services", new JsonArray().add(service.copy().put("implementation", "no.Such"))),
        "there is none with the name no.Such");
    refused(good.copy().put("services", new JsonArray().add(service.copy().put("implementation", "java.lang.String"))),
        "java.lang.String does not implement " + Bare.class.getName());
    refused(good.copy().put("services", new JsonArray().add(service.copy().put("name", "x"))),
        "No such key in services: name");
  }
}
