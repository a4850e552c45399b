// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.load;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.bench.measure.Waits;
import dev.rpcrdma.bench.peers.RpcPeer;
import dev.rpcrdma.bench.rpc.BenchService;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;

/** The calling side of ours, with one connection; small calls alone. */
public final class Own implements RpcPeer {

  /** The others let any number of calls wait. */
  private static final int MAX_QUEUED = 1 << 20;

  private final Vertx vertx = Vertx.vertx();
  private final Buffer small = Buffer.buffer(new byte[SMALL]);
  private final BenchService service;

  /**
   * Connects.
   *
   * @param port of the service
   * @param settings of the provider
   */
  public Own(int port, JsonObject settings) {
    RpcClientOptions options =
        new RpcClientOptions().setProviderOptions(settings).setMaxQueuedCalls(MAX_QUEUED);
    RpcClient client = RpcClient.builder(vertx).with(options).build();
    RpcChannel channel = client.channel(SocketAddress.inetSocketAddress(port, "127.0.0.1"));
    service = channel.proxy(BenchService.class);
    Waits.await(channel.connect());
  }

  @Override
  public Future<?> echo() {
    return service.echo(small);
  }

  @Override
  public Future<?> put() {
    throw new UnsupportedOperationException("Small calls alone");
  }

  @Override
  public Future<?> get() {
    throw new UnsupportedOperationException("Small calls alone");
  }

  @Override
  public void close() {
    Waits.await(vertx.close());
  }
}
