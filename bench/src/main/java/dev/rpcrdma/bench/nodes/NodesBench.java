// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.nodes;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.resolver.ProgramAddress;
import dev.rpcrdma.bench.measure.Baselines;
import dev.rpcrdma.bench.measure.PeerProcess;
import dev.rpcrdma.bench.measure.Stopwatch;
import dev.rpcrdma.bench.measure.Waits;
import dev.rpcrdma.bench.peers.ClusteredEventBus;
import dev.rpcrdma.cluster.ClusterResolver;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.endpoint.LoadBalancer;
import io.vertx.core.shareddata.AsyncMap;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** The callers' process: a node that serves nothing, and two processes that do. */
public final class NodesBench implements AutoCloseable {

  private static final int KEYS = 1000;
  private static final int LOOPS = 4;
  private static final int SETTLE_SECONDS = 3;
  /** Far longer than any loss was ever felt. */
  private static final int FELT_SECONDS = 10;

  private final Vertx vertx;
  private final Context context;
  private final PeerProcess first;
  private final PeerProcess second;
  private final AsyncMap<Integer, Integer> map;
  private final Counter counter;
  private final Counter replicated;

  /**
   * How long the loss of a node was felt, in milliseconds.
   *
   * @param looking by calls that only look
   * @param replicatedCalls by calls whose replies are kept together
   * @param hazelcast by readers of a map of Hazelcast's
   */
  public record Loss(double looking, double replicatedCalls, double hazelcast) {}

  /**
   * Starts both processes.
   *
   * @throws IOException if one does not start
   */
  public NodesBench() throws IOException {
    ClusteredEventBus.Member member = ClusteredEventBus.join();
    vertx = member.vertx();
    context = vertx.getOrCreateContext();
    first = PeerProcess.start(CounterNode.class, "-D" + CounterNode.MEMBER + "=" + member.port());
    second = PeerProcess.start(CounterNode.class, "-D" + CounterNode.MEMBER + "=" + member.port());
    map = Waits.await(vertx.sharedData().getClusterWideMap("bench.map"));
    for (int key = 0; key < KEYS; key++) {
      Waits.await(map.put(key, key));
    }
    RpcChannel channel = Baselines.on(context, () -> Future.succeededFuture(RpcClient.builder(vertx)
        .withAddressResolver(ClusterResolver.create()).withLoadBalancer(LoadBalancer.ROUND_ROBIN).build()
        .channel(ProgramAddress.of(Counter.class))));
    counter = channel.proxy(Counter.class);
    replicated = channel.proxy(Counter.class, CallOptions.DEFAULT.withReplicatedReplies());
  }

  /**
   * Calls without replies that are kept together, one at a time.
   *
   * @param seconds for how long
   * @return the lap
   */
  public Stopwatch.Lap plain(double seconds) {
    return Baselines.on(context, () -> Stopwatch.lap(() -> counter.add(1), 1, Stopwatch.nanos(seconds)));
  }

  /**
   * The same calls with replies that are kept together.
   *
   * @param seconds for how long
   * @return the lap
   */
  public Stopwatch.Lap replicated(double seconds) {
    return Baselines.on(context, () -> Stopwatch.lap(() -> replicated.add(1), 1, Stopwatch.nanos(seconds)));
  }

  /**
   * Kills one of the processes under load; once.
   *
   * @return how long it was felt
   * @throws InterruptedException if this thread is
   */
  public Loss lose() throws InterruptedException {
    AnswerGap looking = new AnswerGap(vertx, LOOPS, () -> counter.look(1));
    AnswerGap adding = new AnswerGap(vertx, LOOPS, () -> replicated.add(1));
    AnswerGap reading = new AnswerGap(vertx, LOOPS, () -> map.get(ThreadLocalRandom.current().nextInt(KEYS)));
    TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
    looking.reset();
    adding.reset();
    reading.reset();
    second.kill();
    TimeUnit.SECONDS.sleep(FELT_SECONDS);
    return new Loss(Waits.await(looking.stop()), Waits.await(adding.stop()), Waits.await(reading.stop()));
  }

  @Override
  public void close() throws IOException {
    first.close();
    second.close();
    Waits.await(vertx.close());
  }
}
