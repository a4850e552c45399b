// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.rpc;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.bench.measure.Footprint;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** The other process: a server that lets one host make any number of connections. */
public final class IdleRpcPeer {

  private static final int ANY = 1_000_000;

  private IdleRpcPeer() {}

  /**
   * Serves until standard input ends; each line of it is answered with how much memory is held.
   *
   * @param arguments none
   * @throws Exception if the server cannot be started
   */
  public static void main(String[] arguments) throws Exception {
    RpcServer server = PollingPeer.serve(Vertx.vertx(), new RpcServerOptions()
        .setMaxConnections(ANY).setMaxConnectionsPerHost(ANY).setMaxSessions(ANY)
        .setProviderOptions(new JsonObject().put("maxPendingConnections", ANY).put("maxPendingPerAddress", ANY)
            .put("maxConnectionsPerAddress", ANY)));
    System.out.println(server.actualPort());
    try (BufferedReader in = new BufferedReader(
        new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      while (in.readLine() != null) {
        System.out.println(Footprint.bytes());
      }
    }
    System.exit(0);
  }
}
