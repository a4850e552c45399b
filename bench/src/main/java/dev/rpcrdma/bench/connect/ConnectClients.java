// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.connect;

import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.bench.measure.Waits;
import dev.rpcrdma.bench.rpc.BenchService;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.SocketAddress;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Clients that connect at once and send 128 bytes each, which come back. */
public final class ConnectClients {

  private static final Buffer BYTES = Buffer.buffer(new byte[128]);

  private ConnectClients() {}

  /**
   * Says a number; then for each line of its input, a port and a number of clients, has so many of them connect, and
   * says how many milliseconds it took until the last of them had its bytes back.
   *
   * @param arguments none
   * @throws Exception if something cannot be read
   */
  public static void main(String[] arguments) throws Exception {
    System.out.println(0);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      int space = line.indexOf(' ');
      SocketAddress server =
          SocketAddress.inetSocketAddress(Integer.parseInt(line.substring(0, space)), "127.0.0.1");
      System.out.println(millis(server, Integer.parseInt(line.substring(space + 1))));
    }
    System.exit(0);
  }

  private static double millis(SocketAddress server, int count) {
    Vertx vertx = Vertx.vertx();
    Supplier<Future<?>> one = Boolean.getBoolean(ConnectPeer.SOCKETS) ? socket(vertx, server) : rpc(vertx, server);
    List<Future<?>> answers = new ArrayList<>();
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      answers.add(one.get());
    }
    Waits.await(Future.all(answers));
    double millis = (System.nanoTime() - start) / 1e6;
    Waits.await(vertx.close());
    return millis;
  }

  private static Supplier<Future<?>> rpc(Vertx vertx, SocketAddress server) {
    RpcClient client = RpcClient.create(vertx);
    return () -> client.channel(server).proxy(BenchService.class).echo(BYTES);
  }

  private static Supplier<Future<?>> socket(Vertx vertx, SocketAddress server) {
    NetClient client = vertx.createNetClient();
    return () -> client.connect(server).compose(socket -> {
      Promise<Buffer> back = Promise.promise();
      socket.handler(back::tryComplete).closeHandler(closed -> back.tryFail("closed"));
      return socket.write(BYTES).compose(written -> back.future());
    });
  }
}
