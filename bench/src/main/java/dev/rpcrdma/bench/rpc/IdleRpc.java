package dev.rpcrdma.bench.rpc;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.bench.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Many clients that have made one call each, and make no other. */
public final class IdleRpc implements AutoCloseable {

  /** Connections in startup at a time. */
  private static final int AT_A_TIME = 64;

  private final Vertx vertx = Vertx.vertx();
  private final RpcClient client = RpcClient.create(vertx);
  private final SocketAddress address;
  private final List<RpcChannel> channels = new ArrayList<>();
  private Promise<Void> opened;
  private int wanted;
  private int missing;

  /**
   * Creates a client without a connection.
   *
   * @param port of the service
   */
  public IdleRpc(int port) {
    address = SocketAddress.inetSocketAddress(port, "127.0.0.1");
  }

  /**
   * Makes more connections, and one call over each.
   *
   * @param count how many
   */
  public void open(int count) {
    Promise<Void> all = Promise.promise();
    synchronized (this) {
      opened = all;
      wanted = count;
      missing = count;
    }
    for (int i = 0; i < AT_A_TIME; i++) {
      next();
    }
    Waiting.await(all.future());
  }

  private synchronized void next() {
    if (wanted == 0) {
      return;
    }
    wanted--;
    RpcChannel channel = client.channel(address);
    channels.add(channel);
    Future<Buffer> echo = channel.proxy(BenchService.class).echo(Buffer.buffer(new byte[128]));
    echo.onSuccess(done -> called()).onFailure(opened::tryFail);
  }

  private synchronized void called() {
    missing--;
    if (missing == 0) {
      opened.complete();
    }
    next();
  }

  @Override
  public void close() {
    Waiting.await(vertx.close());
  }
}
