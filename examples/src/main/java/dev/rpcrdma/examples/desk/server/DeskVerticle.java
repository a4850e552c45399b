// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk.server;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.examples.desk.Desk;
import dev.rpcrdma.examples.desk.DeskV2;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The desk's server. Its configuration:
 *
 * <pre>{@code
 * {
 *   "host": "0.0.0.0",
 *   "port": 20049,
 *   "options": { "tls": { … } },
 *   "roles": { "CN=alice": "TRADER", "bob": "AUDITOR" },
 *   "tokens": { "a secret of bob's": "bob" }
 * }
 * }</pre>
 *
 * <p>Users are known by their certificates or by tokens. The exchange outlives the verticle: who undeploys it and
 * deploys another one has started the desk again.
 */
public final class DeskVerticle extends VerticleBase {

  private final Exchange exchange;
  private final RiskCheck risk;
  private DeskService service;
  private RpcServer server;

  /**
   * Creates a server.
   *
   * @param exchange what it shows
   * @param risk is asked before an order is placed
   */
  public DeskVerticle(Exchange exchange, RiskCheck risk) {
    this.exchange = exchange;
    this.risk = risk;
  }

  @Override
  public Future<?> start() {
    service = new DeskService(vertx, exchange, risk);
    JsonObject tokens = config().getJsonObject("tokens", new JsonObject());
    server = RpcServer.builder(vertx)
        .with(new RpcServerOptions(config().getJsonObject("options", new JsonObject())))
        .withTokens((token, connection) -> Optional.ofNullable(tokens.getString(token))
            .map(name -> Future.succeededFuture(new RpcUser(name)))
            .orElse(Future.failedFuture("No such token")))
        .addServiceInterceptor(new RoleCheck(roles(config())))
        .build()
        .bind(Desk.class, service)
        .bind(DeskV2.class, service);
    return server.listen(SocketAddress.inetSocketAddress(config().getInteger("port"), config().getString("host")))
        .onFailure(unusable -> service.close());
  }

  private static Map<String, Role> roles(JsonObject config) {
    JsonObject roles = config.getJsonObject("roles", new JsonObject());
    return roles.fieldNames().stream().collect(Collectors.toMap(name -> name,
        name -> Role.valueOf(roles.getString(name))));
  }

  @Override
  public Future<?> stop() {
    service.close();
    return server.close();
  }

  /**
   * Where it listens.
   *
   * @return the port
   */
  public int port() {
    return server.actualPort();
  }

  /**
   * How many calls wait for a fill.
   *
   * @return calls that were neither answered nor given up
   */
  public int waiting() {
    return service.waiting();
  }
}
