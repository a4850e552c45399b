// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.rpc;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcServerVerticle;
import dev.rpcrdma.bench.measure.CpuTime;
import dev.rpcrdma.bench.measure.Waits;
import dev.rpcrdma.testkit.FreePort;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** The other process: the service, by as many event loops as a client has connections. */
public final class ConnectionsPeer {

  private static final String HOST = "127.0.0.1";
  private static final int INSTANCES = 4;
  private static final int LARGE = 1 << 20;

  private ConnectionsPeer() {}

  /**
   * Serves until standard input ends; each line of it is answered with the CPU time of this process.
   *
   * @param arguments none
   * @throws Exception if something cannot be started
   */
  public static void main(String[] arguments) throws Exception {
    Vertx vertx = Vertx.vertx();
    LocalService service = new LocalService(Payload.allocate(vertx, LARGE));
    // Port 0 would give each instance another one.
    int port = FreePort.find();
    Waits.await(vertx.deployVerticle(
        () -> new RpcServerVerticle(new RpcServerOptions(), SocketAddress.inetSocketAddress(port, HOST),
            server -> server.bind(BenchService.class, service)),
        new DeploymentOptions().setInstances(INSTANCES)));
    try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      System.out.println(port);
      for (String asked = in.readLine(); asked != null; asked = in.readLine()) {
        System.out.println(CpuTime.nanos());
      }
    }
    Waits.await(vertx.close());
    System.exit(0);
  }
}
