// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processes;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.resolver.ProgramAddress;
import dev.rpcrdma.cluster.ClusterDirectory;
import dev.rpcrdma.cluster.ClusterResolver;
import dev.rpcrdma.cluster.DirectoryOptions;
import dev.rpcrdma.service.processes.Outcome.Kind;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** A process that calls, in loops, and serves callbacks meanwhile. */
final class TallyClient {

  /** In which a server that says nothing is given up. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final long PAUSE_MILLIS = 20;
  private static final Kind[] KINDS = {Kind.ADD, Kind.ADD, Kind.ADD, Kind.TELL, Kind.ADD_HERE, Kind.LOOK};

  private final Vertx vertx;
  private final Tally tally;
  private final Tally replicated;
  private final Journal outcomes;
  private final AtomicLong numbers;
  private final int step;
  private final int loops;
  /** Loops without an answer to a call that began after the last {@link #round}. */
  private final Set<Integer> unanswered = new HashSet<>();
  private long roundBegan;
  private volatile boolean stopped;

  private TallyClient(TallyMember member, int id, int step, int loops, Journal outcomes, Journal told) {
    vertx = member.vertx();
    this.loops = loops;
    this.outcomes = outcomes;
    this.numbers = new AtomicLong(id);
    this.step = step;
    ClusterDirectory directory =
        ClusterDirectory.open(vertx, DirectoryOptions.DEFAULT.withRefresh(Duration.ofMillis(500)));
    RpcChannel channel = RpcClient.builder(vertx)
        .with(new RpcClientOptions().setKeepAliveTime(PATIENCE).setKeepAliveTimeout(PATIENCE)
            .setConnectTimeout(PATIENCE).setReconnectTimeout(PATIENCE).setCallTimeout(Duration.ofSeconds(20)))
        .withAddressResolver(ClusterResolver.of(directory)).withLoadBalancer(LoadBalancer.ROUND_ROBIN).build()
        .channel(ProgramAddress.of(Tally.class));
    channel.bind(TallyEvents.class, number -> {
      told.add(Long.toString(number));
      return Future.succeededFuture();
    });
    tally = channel.proxy(Tally.class);
    replicated = channel.proxy(Tally.class, CallOptions.DEFAULT.withReplicatedReplies());
  }

  /**
   * Calls until it is told to stop, or its input ends.
   *
   * @param arguments the cluster, a member, which of how many clients it is, how many loops, a seed, and where to write
   *     down what has become of calls, and what it was told
   */
  public static void main(String[] arguments) throws Exception {
    Commands.dieOfExceptions();
    TallyMember member = TallyMember.join(arguments[0], List.of(arguments[1]), true);
    int id = Integer.parseInt(arguments[2]);
    int loops = Integer.parseInt(arguments[4]);
    TallyClient client = new TallyClient(member, id, Integer.parseInt(arguments[3]), loops,
        new Journal(Path.of(arguments[6])), new Journal(Path.of(arguments[7])));
    Random seeds = new Random(Long.parseLong(arguments[5]) + id);
    Future<?> ended = Future.join(IntStream.range(0, loops)
        .mapToObj(loop -> client.loop(id * loops + loop, new Random(seeds.nextLong()))).toList());
    Commands.say("calling");
    Commands.follow(Map.of(
        "round", any -> client.round(id),
        "stop", any -> {
          client.stopped = true;
          ended.onComplete(done -> Commands.say("ended " + (client.numbers.get() - id) / client.step));
        }));
  }

  /** Says so when each loop has been answered again. */
  private synchronized void round(int id) {
    roundBegan = System.nanoTime();
    unanswered.addAll(IntStream.range(id * loops, (id + 1) * loops).boxed().toList());
  }

  private synchronized void answered(int loop, long began) {
    if (began - roundBegan > 0 && unanswered.remove(loop) && unanswered.isEmpty()) {
      Commands.say("round is over");
    }
  }

  private Future<Void> loop(int loop, Random random) {
    Promise<Void> promise = Promise.promise();
    vertx.getOrCreateContext().runOnContext(turn -> again(loop, random, promise));
    return promise.future();
  }

  private void again(int loop, Random random, Promise<Void> promise) {
    if (stopped) {
      promise.complete();
      return;
    }
    Kind kind = KINDS[random.nextInt(KINDS.length)];
    long number = numbers.getAndAdd(step);
    long began = System.nanoTime();
    call(kind, number).onComplete((answer, failure) -> {
      outcomes.add(new Outcome(number, loop, kind, Outcome.of(number, answer, failure), began, System.nanoTime(),
          Outcome.why(number, answer, failure)).line());
      if (failure == null) {
        answered(loop, began);
        again(loop, random, promise);
      } else {
        vertx.setTimer(PAUSE_MILLIS, passed -> again(loop, random, promise));
      }
    });
  }

  private Future<Long> call(Kind kind, long number) {
    return switch (kind) {
      case ADD -> replicated.add(number);
      case TELL -> replicated.tell(number);
      case ADD_HERE -> tally.addHere(number);
      case LOOK -> tally.look(number);
    };
  }
}
