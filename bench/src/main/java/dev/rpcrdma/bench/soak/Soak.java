// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.soak;

import static dev.rpcrdma.bench.measure.Waits.await;

import dev.rpcrdma.api.ChannelSnapshot;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.testkit.CuttingProxy;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** A client and a server in one process, and between them a proxy that cuts. */
public final class Soak {

  /** What came of it. */
  public static final class Outcome {
    /** What the process held on to, from time to time. */
    public final List<Sample> samples = new ArrayList<>();
    /** Calls that were made and answered as they must be. */
    public long calls;
    /** Those of them that the server made. */
    public long reverseCalls;
    /** Connections that were made. */
    public long connections;
    /** Calls that were sent again. */
    public long replays;
    /** Memory that a peer could still reach when all calls had ended. */
    public long exposures;
  }

  private static final String HOST = "127.0.0.1";
  private static final int WORKERS = 8;
  private static final long REPLIES = 4 << 20;

  private final Vertx vertx = Vertx.vertx();
  private final Random random;
  private final Ledger atServer = new Ledger(WORKERS);
  private final Ledger atClient = new Ledger(WORKERS);
  private final long[] adds = new long[WORKERS];

  /**
   * Prepares one.
   *
   * @param seed decides what is called, and when connections are cut
   */
  public Soak(long seed) {
    random = new Random(seed);
  }

  /**
   * Runs.
   *
   * @param duration of the load
   * @param sampleEvery how often to look
   * @param mostBetweenCuts the longest time without a cut
   * @return what came of it
   * @throws IllegalStateException if a call failed, was lost, or was executed twice
   * @throws InterruptedException if the thread that runs it is interrupted
   */
  public Outcome run(Duration duration, Duration sampleEvery, Duration mostBetweenCuts)
      throws InterruptedException {
    Promise<RpcConnection> accepted = Promise.promise();
    RpcServer server = RpcServer.builder(vertx)
        .with(new RpcServerOptions().setReplyCacheBytes(REPLIES)).build()
        .bind(SoakStore.class, atServer).connectionHandler(accepted::tryComplete);
    await(server.listen(SocketAddress.inetSocketAddress(0, HOST)));
    CuttingProxy proxy = new CuttingProxy(vertx,
        SocketAddress.inetSocketAddress(server.actualPort(), HOST));
    await(proxy.start());
    RpcClient client = RpcClient.builder(vertx).with(new RpcClientOptions()
        .setReplyCacheBytes(REPLIES).setReconnectAttempts(0)
        .setReconnectDelay(Duration.ofMillis(5)).setMaxReconnectDelay(Duration.ofMillis(100)))
        .build();
    RpcChannel channel = client.channel(proxy.address()).bind(SoakEvents.class, atClient);
    await(channel.connect());
    SoakStore store = channel.proxy(SoakStore.class);
    SoakEvents events = await(accepted.future()).peer().proxy(SoakEvents.class);
    Outcome outcome = new Outcome();
    load(store, events, proxy, outcome, duration, sampleEvery, mostBetweenCuts);
    ChannelSnapshot snapshot = await(channel.snapshot());
    outcome.connections = snapshot.connections();
    outcome.replays = snapshot.replays();
    outcome.exposures =
        await(channel.connect().compose(RpcConnection::snapshot)).memory().exposures();
    await(client.close());
    await(server.close());
    await(proxy.close());
    await(vertx.close());
    return outcome;
  }

  private void load(SoakStore store, SoakEvents events, CuttingProxy proxy, Outcome outcome,
      Duration duration, Duration sampleEvery, Duration mostBetweenCuts)
      throws InterruptedException {
    List<Worker> forward = new ArrayList<>();
    List<Worker> reverse = new ArrayList<>();
    for (int i = 0; i < WORKERS; i++) {
      int number = i;
      forward.add(new Worker(vertx, random.nextLong(),
          (chance, call) -> Worker.forward(store, number, chance, adds)));
      reverse.add(new Worker(vertx, random.nextLong(),
          (chance, call) -> Worker.reverse(events, number, chance, call)));
    }
    List<Future<Void>> all = new ArrayList<>();
    forward.forEach(worker -> all.add(worker.work()));
    reverse.forEach(worker -> all.add(worker.work()));
    long end = System.nanoTime() + duration.toNanos();
    long sample = System.nanoTime() + sampleEvery.toNanos();
    while (System.nanoTime() - end < 0) {
      TimeUnit.MILLISECONDS.sleep(1 + random.nextInt((int) mostBetweenCuts.toMillis()));
      for (Future<Void> worker : all) {
        if (worker.failed()) {
          throw new IllegalStateException("A call has failed", worker.cause());
        }
      }
      proxy.cut();
      if (System.nanoTime() - sample >= 0) {
        outcome.samples.add(Sample.take());
        sample += sampleEvery.toNanos();
      }
    }
    forward.forEach(Worker::stop);
    reverse.forEach(Worker::stop);
    await(Future.all(all));
    outcome.reverseCalls = reverse.stream().mapToLong(Worker::calls).sum();
    outcome.calls = outcome.reverseCalls + forward.stream().mapToLong(Worker::calls).sum();
  }
}
