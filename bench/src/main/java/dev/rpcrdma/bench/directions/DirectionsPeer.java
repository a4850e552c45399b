// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.directions;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.ServiceBinding;
import dev.rpcrdma.bench.measure.Waits;
import dev.rpcrdma.bench.rpc.BenchService;
import dev.rpcrdma.bench.rpc.LocalService;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The server's process. Each line of its standard input says how it calls the client from then on:
 * {@code quiet} not at all, {@code busy} two thousand times in a second, {@code stuck} with all its
 * credits, and no answer.
 */
public final class DirectionsPeer {

  private static final String HOST = "127.0.0.1";
  private static final int CALLS_EACH_MILLISECOND = 2;
  private static final int MOST_OUTSTANDING = 16;
  private static final Duration LONG = Duration.ofHours(1);

  private final Buffer small = Buffer.buffer(new byte[128]);
  private BenchEvents client;
  private boolean busy;
  private int outstanding;
  private long answered;

  private DirectionsPeer() {}

  /**
   * Serves until standard input ends; each line is answered with how many calls the client has answered.
   *
   * @param arguments none
   * @throws Exception if it cannot be started
   */
  public static void main(String[] arguments) throws Exception {
    Vertx vertx = Vertx.vertx();
    DirectionsPeer peer = new DirectionsPeer();
    RpcServer server = RpcServer.create(vertx)
        .bind(BenchService.class, new LocalService(Payload.allocate(vertx, 1)))
        .connectionHandler(connection -> peer.connected(vertx, connection.peer()));
    Waits.await(server.listen(SocketAddress.inetSocketAddress(0, HOST)));
    try (BufferedReader in = new BufferedReader(
        new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      System.out.println(server.actualPort());
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        System.out.println(peer.turn(line));
      }
    }
    System.exit(0);
  }

  private synchronized void connected(Vertx vertx, RpcCaller caller) {
    client = ServiceBinding.of(BenchEvents.class).proxy(caller,
        CallOptions.DEFAULT.withTimeout(LONG));
    vertx.setPeriodic(1, id -> tick());
  }

  private synchronized void tick() {
    for (int i = 0; busy && i < CALLS_EACH_MILLISECOND && outstanding < MOST_OUTSTANDING; i++) {
      outstanding++;
      client.echo(small).onComplete(result -> ended());
    }
  }

  private synchronized void ended() {
    outstanding--;
    answered++;
  }

  private synchronized long turn(String how) {
    busy = how.equals("busy");
    if (how.equals("stuck")) {
      for (int i = 0; i < MOST_OUTSTANDING; i++) {
        client.never();
      }
    }
    long before = answered;
    answered = 0;
    return before;
  }
}
