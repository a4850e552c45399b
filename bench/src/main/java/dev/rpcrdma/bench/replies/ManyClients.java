// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.replies;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Many clients in one process, each with some calls at a time, whose results have no bound. */
public final class ManyClients {

  private static final long MOST_SECONDS = 40;

  /**
   * What they do.
   *
   * @param clients how many, each with a connection of its own; all of them connect at once
   * @param outstanding how many calls each makes at a time
   * @param length of a result, in bytes
   * @param seconds for how long they begin new calls
   */
  public record Plan(int clients, int outstanding, int length, int seconds) {

    /**
     * As a line that asks the process for it.
     *
     * @param port of the server
     * @return without an end of line
     */
    public String line(int port) {
      return port + " " + clients + " " + outstanding + " " + length + " " + seconds;
    }
  }

  private final Vertx vertx = Vertx.vertx();
  private final int port;
  private final Plan plan;
  private final AtomicLong calls = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final CountDownLatch ended;
  private volatile boolean stop;

  private ManyClients(int port, Plan plan) {
    this.port = port;
    this.plan = plan;
    this.ended = new CountDownLatch(plan.clients() * plan.outstanding());
  }

  /**
   * Says a number; then for each line of its input, a port and a plan, carries that out, and says how many calls were
   * made and how many have failed. Standard error has the first failure.
   *
   * @param arguments none
   * @throws Exception if something cannot be read
   */
  public static void main(String[] arguments) throws Exception {
    System.out.println(0);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      int[] words = Arrays.stream(line.split(" ")).mapToInt(Integer::parseInt).toArray();
      System.out.println(new ManyClients(words[0], new Plan(words[1], words[2], words[3], words[4])).run());
    }
    System.exit(0);
  }

  private String run() throws InterruptedException {
    for (int i = 0; i < plan.clients(); i++) {
      RpcChannel channel = RpcClient.create(vertx).channel(SocketAddress.inetSocketAddress(port, "127.0.0.1"));
      for (int call = 0; call < plan.outstanding(); call++) {
        call(channel);
      }
    }
    Thread.sleep(TimeUnit.SECONDS.toMillis(plan.seconds()));
    stop = true;
    long missing = ended.await(MOST_SECONDS, TimeUnit.SECONDS) ? 0 : ended.getCount();
    return calls.get() + " " + (failed.get() + missing);
  }

  private void call(RpcChannel channel) {
    channel.call(ReplyService.made(plan.length())).onComplete((result, failure) -> {
      calls.incrementAndGet();
      if (failure != null && failed.getAndIncrement() == 0) {
        failure.printStackTrace();
      }
      if (stop || failure != null) {
        ended.countDown();
      } else {
        call(channel);
      }
    });
  }
}
