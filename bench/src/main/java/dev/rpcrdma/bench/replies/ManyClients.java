// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.replies;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Many clients in one process, each with as many calls at a time as it has credits, whose results have no bound. */
public final class ManyClients {

  private static final int CLIENTS = 300;
  private static final int OUTSTANDING = 64;
  private static final int SMALL = 128;
  private static final long MOST_SECONDS = 40;

  private final Vertx vertx = Vertx.vertx();
  private final byte[] small = new byte[SMALL];
  private final AtomicLong calls = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final CountDownLatch ended = new CountDownLatch(CLIENTS * OUTSTANDING);
  private volatile boolean stop;

  private ManyClients() {}

  /**
   * Says a number; then for each line of its input, the port of a server and for how many seconds, calls that, and
   * says how many calls were made and how many have failed.
   *
   * @param arguments none
   * @throws Exception if something cannot be read
   */
  public static void main(String[] arguments) throws Exception {
    System.out.println(0);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ");
      System.out.println(new ManyClients().run(Integer.parseInt(words[0]), Integer.parseInt(words[1])));
    }
    System.exit(0);
  }

  private String run(int port, int seconds) throws InterruptedException {
    for (int i = 0; i < CLIENTS; i++) {
      RpcChannel channel = RpcClient.create(vertx).channel(SocketAddress.inetSocketAddress(port, "127.0.0.1"));
      for (int call = 0; call < OUTSTANDING; call++) {
        call(channel);
      }
    }
    Thread.sleep(TimeUnit.SECONDS.toMillis(seconds));
    stop = true;
    long missing = ended.await(MOST_SECONDS, TimeUnit.SECONDS) ? 0 : ended.getCount();
    return calls.get() + " " + (failed.get() + missing);
  }

  private void call(RpcChannel channel) {
    channel.call(ReplyService.echo(ReplyService.UNBOUNDED, small)).onComplete((result, failure) -> {
      calls.incrementAndGet();
      if (failure != null) {
        failed.incrementAndGet();
      }
      if (stop || failure != null) {
        ended.countDown();
      } else {
        call(channel);
      }
    });
  }
}
