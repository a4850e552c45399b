// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import static dev.rpcrdma.testkit.Waiting.await;

import dev.rpcrdma.examples.desk.client.DeskClient;
import dev.rpcrdma.examples.desk.server.DeskVerticle;
import dev.rpcrdma.examples.desk.server.Exchange;
import dev.rpcrdma.examples.desk.server.LimitCheck;
import dev.rpcrdma.examples.desk.server.RiskCheck;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;

/** A desk that can be started again, and clients of it. */
final class DeskBed implements AutoCloseable {

  private static final String HOST = "127.0.0.1";

  private final Vertx vertx = Vertx.vertx();
  private final Exchange exchange = new Exchange();
  private final JsonObject serverConfig;
  private DeskVerticle desk;

  /** With the options of a server, the roles of users, and the users of tokens. */
  DeskBed(JsonObject options, JsonObject roles, JsonObject tokens) {
    serverConfig = new JsonObject().put("host", HOST).put("port", 0).put("options", options).put("roles", roles)
        .put("tokens", tokens);
    start(new LimitCheck());
  }

  void start(RiskCheck risk) {
    desk = new DeskVerticle(exchange, risk);
    await(vertx.deployVerticle(desk, new DeploymentOptions().setConfig(serverConfig)));
    serverConfig.put("port", desk.port());
  }

  void stop() {
    await(vertx.undeploy(desk.deploymentID()));
  }

  /** Takes a user's role away, for the next start. */
  void revoke(String user) {
    serverConfig.getJsonObject("roles").remove(user);
  }

  DeskVerticle desk() {
    return desk;
  }

  Exchange exchange() {
    return exchange;
  }

  Vertx vertx() {
    return vertx;
  }

  /** With the options of a client. */
  JsonObject clientConfig(JsonObject options) {
    return new JsonObject().put("host", HOST).put("port", desk.port()).put("tenant", "blue").put("options", options);
  }

  DeskClient client(JsonObject options) {
    return new DeskClient(vertx, clientConfig(options), new HeardByClient());
  }

  @Override
  public void close() {
    await(vertx.close());
  }
}
