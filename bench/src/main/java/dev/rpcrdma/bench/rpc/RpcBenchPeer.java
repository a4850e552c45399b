package dev.rpcrdma.bench.rpc;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

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
    NetServer echo = vertx.createNetServer().connectHandler(socket -> socket.handler(socket::write));
    await(echo.listen(0, HOST));
    try (ServerSocketChannel sink = ServerSocketChannel.open()) {
      sink.bind(new InetSocketAddress(HOST, 0));
      Thread thread = new Thread(() -> drain(sink), "raw-sink");
      thread.setDaemon(true);
      thread.start();
      System.out.println(server.actualPort() + " " + echo.actualPort() + " "
          + ((InetSocketAddress) sink.getLocalAddress()).getPort());
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

  /** Reads streams to their ends, one after the other, and answers each with one byte. */
  private static void drain(ServerSocketChannel sink) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(LARGE);
    while (sink.isOpen()) {
      try (SocketChannel channel = sink.accept()) {
        while (channel.read(buffer.clear()) >= 0) {
          // The bytes are of no interest.
        }
        channel.write(buffer.clear().limit(1));
      } catch (IOException e) {
        // The peer has gone, or this process ends: the next accept tells which.
        continue;
      }
    }
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
