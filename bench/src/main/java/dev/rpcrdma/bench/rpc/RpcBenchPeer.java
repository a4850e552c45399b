// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.rpc;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.bench.measure.Allocations;
import dev.rpcrdma.bench.measure.BaselineServers;
import dev.rpcrdma.bench.measure.CpuTime;
import dev.rpcrdma.bench.measure.Waits;
import dev.rpcrdma.bench.peers.ClusteredEventBus;
import dev.rpcrdma.bench.peers.GrpcJava;
import dev.rpcrdma.bench.peers.OncRpc4j;
import dev.rpcrdma.bench.peers.VertxGrpc;
import io.grpc.Server;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.dcache.oncrpc4j.rpc.OncRpcSvc;

/**
 * The other process: the service, with and without busy polling, those of other systems, a NetSocket echo,
 * and a raw sink.
 */
public final class RpcBenchPeer {

  private RpcBenchPeer() {}

  /**
   * Serves until standard input ends; each line of it is answered: {@code cpu} with the CPU time of this
   * process, any other with what event loops have allocated.
   *
   * @param arguments none
   * @throws Exception if something cannot be started
   */
  public static void main(String[] arguments) throws Exception {
    Vertx vertx = Vertx.vertx();
    RpcServer server = PollingPeer.serve(vertx, new JsonObject());
    RpcServer polling = PollingPeer.serve(Vertx.vertx(), PollingPeer.AWAKE);
    OncRpcSvc oncRpc = OncRpc4j.serve();
    Server grpc = GrpcJava.serve();
    HttpServer vertxGrpc = VertxGrpc.serve(vertx);
    ClusteredEventBus.Member eventBus = ClusteredEventBus.serve();
    try (BaselineServers baselines = new BaselineServers(vertx);
        BufferedReader in = new BufferedReader(
            new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      System.out.println(server.actualPort() + " " + baselines.echoPort() + " "
          + baselines.sinkPort() + " " + OncRpc4j.port(oncRpc) + " " + grpc.getPort() + " "
          + vertxGrpc.actualPort() + " " + eventBus.port() + " " + polling.actualPort());
      for (String asked = in.readLine(); asked != null; asked = in.readLine()) {
        System.out.println(asked.equals("cpu") ? CpuTime.nanos() : Allocations.ofEventLoops());
      }
    }
    Waits.await(server.close());
    Waits.await(polling.close());
    System.exit(0);
  }
}
