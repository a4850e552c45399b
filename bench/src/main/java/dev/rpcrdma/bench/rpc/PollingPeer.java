// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.rpc;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.bench.bare.BareServer;
import dev.rpcrdma.bench.measure.BaselineServers;
import dev.rpcrdma.bench.measure.PeerProcess;
import dev.rpcrdma.bench.measure.Waits;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;

/** The other process: the service and a bare stack, by threads that poll and by those that sleep, and a raw sink. */
public final class PollingPeer {

  /** What makes event loops look for more before they sleep. */
  public static final JsonObject AWAKE = new JsonObject().put("busyPollMicros", 100);

  private static final String HOST = "127.0.0.1";
  private static final int LARGE = 1 << 20;

  private PollingPeer() {}

  /**
   * Serves until standard input ends.
   *
   * @param arguments none
   * @throws Exception if something cannot be started
   */
  public static void main(String[] arguments) throws Exception {
    Vertx vertx = Vertx.vertx();
    BaselineServers baselines = new BaselineServers(vertx);
    System.out.println(serve(Vertx.vertx(), AWAKE).actualPort() + " "
        + serve(vertx, new JsonObject()).actualPort() + " " + new BareServer(true).port() + " "
        + new BareServer(false).port() + " " + baselines.echoPort() + " " + baselines.sinkPort());
    PeerProcess.serve();
  }

  /** The service, by a provider with these settings, on a free port. */
  static RpcServer serve(Vertx vertx, JsonObject settings) {
    return serve(vertx, new RpcServerOptions().setProviderOptions(settings));
  }

  /**
   * The service, on a free port.
   *
   * @param vertx where it lives
   * @param options of its server
   * @return when it listens
   */
  public static RpcServer serve(Vertx vertx, RpcServerOptions options) {
    RpcServer server = RpcServer.builder(vertx).with(options).build()
        .bind(BenchService.class, new LocalService(Payload.allocate(vertx, LARGE)));
    return Waits.await(server.listen(SocketAddress.inetSocketAddress(0, HOST)));
  }
}
