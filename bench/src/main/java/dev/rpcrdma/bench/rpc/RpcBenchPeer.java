package dev.rpcrdma.bench.rpc;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.bench.BaselineServers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;

/** The other process: the service, a NetSocket echo, and a raw sink. */
public final class RpcBenchPeer {

  private static final String HOST = "127.0.0.1";
  private static final int LARGE = 1 << 20;

  private RpcBenchPeer() {}

  /**
   * Serves until standard input ends.
   *
   * @param arguments none
   * @throws Exception if something cannot be started
   */
  public static void main(String[] arguments) throws Exception {
    Vertx vertx = Vertx.vertx();
    Payload large = Payload.allocate(vertx, LARGE);
    RpcServer server = RpcServer.create(vertx).bind(BenchService.class, new Service(large));
    await(server.listen(SocketAddress.inetSocketAddress(0, HOST)));
    try (BaselineServers baselines = new BaselineServers(vertx)) {
      System.out.println(server.actualPort() + " " + baselines.echoPort() + " "
          + baselines.sinkPort());
      while (System.in.read() >= 0) {
        // Nothing is said; only its end counts.
      }
    }
    await(server.close());
    await(vertx.close());
  }

  private static <T> T await(Future<T> future) {
    return future.toCompletionStage().toCompletableFuture().join();
  }

  private record Service(Payload large) implements BenchService {

    @Override
    public Future<Buffer> echo(Buffer bytes) {
      return Future.succeededFuture(bytes);
    }

    @Override
    public Future<Void> put(Payload bytes) {
      return Future.succeededFuture();
    }

    @Override
    public Future<Payload> get(int length, Payload target) {
      return Future.succeededFuture(large.slice(0, length));
    }
  }
}
