// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.ibverbs;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.bench.measure.Waits;
import dev.rpcrdma.bench.rpc.BenchService;
import dev.rpcrdma.bench.rpc.LocalService;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;

/** A server and a client of one RDMA device, in this process. */
public final class DeviceCalls implements AutoCloseable {

  private static final int LENGTH = 128;

  private final Vertx vertx;
  private final Context context;
  private final BenchService service;
  private final Buffer bytes = Buffer.buffer(new byte[LENGTH]);

  /**
   * Connects.
   *
   * @param device the RDMA device
   * @param host an address of it
   * @param epoll whether event loops hear of completions themselves
   */
  public DeviceCalls(String device, String host, boolean epoll) {
    vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(epoll));
    context = vertx.getOrCreateContext();
    JsonObject settings = new JsonObject().put("device", device);
    RpcServer server = RpcServer.builder(vertx)
        .with(new RpcServerOptions().setProvider("ibverbs").setProviderOptions(settings)).build()
        .bind(BenchService.class, new LocalService(Payload.allocate(vertx, 1)));
    Waits.await(server.listen(SocketAddress.inetSocketAddress(0, host)));
    service = RpcClient.builder(vertx)
        .with(new RpcClientOptions().setProvider("ibverbs").setProviderOptions(settings)).build()
        .channel(SocketAddress.inetSocketAddress(server.actualPort(), host)).proxy(BenchService.class);
  }

  /**
   * Calls of 128 bytes there and back.
   *
   * @param count how many
   * @param outstanding how many at a time
   */
  public void call(int count, int outstanding) {
    Promise<Void> done = Promise.promise();
    int[] left = {count, count};
    context.runOnContext(running -> {
      for (int i = 0; i < Math.min(outstanding, count); i++) {
        next(left, done);
      }
    });
    Waits.await(done.future());
  }

  /** Both on the context: how many are to be begun, and to be answered. */
  private void next(int[] left, Promise<Void> done) {
    left[0]--;
    Future<Buffer> answer = service.echo(bytes);
    answer.onFailure(done::tryFail).onSuccess(ignored -> {
      if (--left[1] == 0) {
        done.tryComplete();
      } else if (left[0] > 0) {
        next(left, done);
      }
    });
  }

  @Override
  public void close() {
    Waits.await(vertx.close());
  }
}
