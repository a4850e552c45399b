// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.moved;

import dev.rpcrdma.service.eventbus.ConfiguredChannel;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;

/**
 * Deploys a service and calls it, twice with the same code: by {@code event-bus.json} on the event bus, and by {@code
 * rdma.json} over RDMA. Which verticle serves, and where its callers find it, is all that the two files differ in.
 */
public final class MovedService {

  private MovedService() {}

  /**
   * Runs both configurations.
   *
   * @param arguments none
   * @throws Exception if one does not work
   */
  public static void main(String[] arguments) throws Exception {
    for (String file : new String[] {"event-bus.json", "rdma.json"}) {
      Vertx vertx = Vertx.vertx();
      try {
        System.out.println(file + ": " + run(vertx, configuration(file)).toCompletionStage().toCompletableFuture()
            .get(30, TimeUnit.SECONDS));
      } finally {
        vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
      }
    }
  }

  /** Serves and calls, as the configuration says. */
  static Future<String> run(Vertx vertx, JsonObject configuration) {
    return vertx.deployVerticle(configuration.getString("verticle"),
            new DeploymentOptions().setConfig(configuration.getJsonObject("service")))
        .compose(deployed -> {
          ConfiguredChannel channel = ConfiguredChannel.create(vertx, configuration.getJsonObject("callers"));
          return channel.proxy(Greetings.class).greet("world").eventually(channel::close);
        });
  }

  /** One of the example's own files. */
  static JsonObject configuration(String file) throws IOException {
    try (InputStream in = MovedService.class.getResourceAsStream("/moved/" + file)) {
      return new JsonObject(Buffer.buffer(in.readAllBytes()));
    }
  }
}
