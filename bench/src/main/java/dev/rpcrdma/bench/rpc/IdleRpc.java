// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.rpc;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.bench.measure.Crowd;
import dev.rpcrdma.bench.measure.Waits;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Many clients that have made one call each, and make no other. */
public final class IdleRpc implements AutoCloseable {

  private final Vertx vertx = Vertx.vertx();
  private final RpcClient client = RpcClient.create(vertx);
  private final SocketAddress address;
  private final List<RpcChannel> channels = new ArrayList<>();

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
    Crowd.of(count, () -> {
      RpcChannel channel = client.channel(address);
      channels.add(channel);
      return channel.proxy(BenchService.class).echo(Buffer.buffer(new byte[128]));
    });
  }

  @Override
  public void close() {
    Waits.await(vertx.close());
  }
}
