// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.fixture.CallLoops;
import dev.rpcrdma.api.fixture.LedgerService;
import dev.rpcrdma.api.fixture.ServerGroup;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.fabric.MemoryFabric;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers that start, end, are listed and are not, connections that are cut, by a seed, while calls are made. */
@Tag("slow")
class ServersComeAndGoTest {

  private static final int SEEDS = Integer.getInteger("rpcrdma.serverSeeds", 16);
  private static final int STEPS = 150;
  private static final LoadBalancer[] BALANCERS = {LoadBalancer.ROUND_ROBIN, LoadBalancer.LEAST_REQUESTS,
      LoadBalancer.RANDOM, LoadBalancer.POWER_OF_TWO_CHOICES, LoadBalancer.CONSISTENT_HASHING, LoadBalancer.FIRST};

  private final ServerGroup group = new ServerGroup();
  private final List<Made> made = new ArrayList<>();
  private final List<ServerGroup.Member> running = new ArrayList<>();
  private final List<Future<Void>> ending = new ArrayList<>();

  /** A call, and how often it had an outcome. */
  private record Made(long number, boolean readOnly, Future<Buffer> outcome, AtomicInteger outcomes) {}

  @AfterEach
  void close() {
    group.close();
    assertThat(MemoryFabric.of(group.vertx).connections()).isZero();
  }

  static IntStream seeds() {
    return IntStream.rangeClosed(1, SEEDS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  @DisplayName("Each call has one outcome, and is executed once at most unless it only looks; no memory is left")
  void seeded(int seed) {
    Random random = new Random(seed);
    JsonObject faults = new JsonObject().put("seed", seed).put("maxDelayMillis", random.nextInt(2));
    group.serverOptions.setProviderOptions(faults);
    group.clientOptions.setReconnectAttempts(random.nextInt(3) + 1).setReconnectDelay(Duration.ofMillis(1))
        .setMaxReconnectDelay(Duration.ofMillis(5)).setConnections(random.nextInt(3) + 1)
        .setForwardCredits(random.nextBoolean() ? 2 : 64).setProviderOptions(faults);
    RpcChannel channel = group.channel(BALANCERS[seed % BALANCERS.length]);
    begin();
    begin();
    for (int step = 0; step < STEPS; step++) {
      step(random, channel);
    }
    MemoryFabric.of(group.vertx).refuse(0);
    MemoryFabric.of(group.vertx).cutAfter(Long.MAX_VALUE);
    made.forEach(call -> Waiting.outcome(call.outcome()));
    Waiting.await(Future.join(ending));
    Waiting.await(group.client.close());
    made.forEach(this::check);
    assertThat(made.stream().filter(call -> call.outcome().succeeded()).count()).isPositive();
  }

  private void begin() {
    running.add(group.start());
    list();
  }

  private void list() {
    group.listed = running.stream().map(ServerGroup.Member::address).toList();
  }

  private void step(Random random, RpcChannel channel) {
    MemoryFabric fabric = MemoryFabric.of(group.vertx);
    int action = random.nextInt(100);
    if (action < 60) {
      call(random, channel);
    } else if (action < 70) {
      Waiting.outcome(made.isEmpty() ? Future.succeededFuture() : made.get(random.nextInt(made.size())).outcome());
    } else if (action < 76 && running.size() < 5) {
      begin();
    } else if (action < 82 && running.size() > 1) {
      // In good order: it is not listed any more before it ends.
      ServerGroup.Member leaving = running.remove(random.nextInt(running.size()));
      list();
      ending.add(group.vertx.timer(5).compose(later -> leaving.server.close()));
    } else if (action < 86 && running.size() > 1) {
      // It ends, and is listed for a while.
      ServerGroup.Member dying = running.remove(random.nextInt(running.size()));
      ending.add(dying.server.shutdown(Duration.ZERO));
    } else if (action < 90) {
      list();
    } else if (action < 94) {
      fabric.cutAfter(random.nextInt(20));
    } else if (action < 97) {
      fabric.refuse(random.nextInt(3));
    } else {
      fabric.cut();
    }
  }

  private void call(Random random, RpcChannel channel) {
    for (int i = random.nextInt(12); i >= 0; i--) {
      boolean readOnly = random.nextInt(3) == 0;
      int length = random.nextInt(5) == 0 ? random.nextInt(30_000) : random.nextInt(100);
      RpcRequest<Buffer> request = LedgerService.request(readOnly ? LedgerService.LOOK : LedgerService.ADD,
          made.size(), new byte[length]);
      CallOptions options = CallOptions.DEFAULT.withTimeout(Duration.ofMillis(
          random.nextInt(8) == 0 ? 1 + random.nextInt(5) : 10_000));
      if (random.nextInt(3) == 0) {
        options = options.withRoutingKey("key" + random.nextInt(5));
      }
      Cancellation cancellation = Cancellation.create();
      boolean cancelled = random.nextInt(12) == 0;
      AtomicInteger outcomes = new AtomicInteger();
      Future<Buffer> outcome = channel.call(request.withOptions(options.withCancellation(cancellation)))
          .onComplete(any -> outcomes.incrementAndGet());
      made.add(new Made(made.size(), readOnly, outcome, outcomes));
      if (cancelled) {
        cancellation.cancel();
      }
    }
  }

  private void check(Made call) {
    int executions = group.members.stream().mapToInt(member -> member.ledger.executions(call.number())).sum();
    assertThat(call.outcomes()).as("outcomes of call %d", call.number()).hasValue(1);
    if (!call.readOnly()) {
      assertThat(executions).as("executions of call %d", call.number()).isLessThanOrEqualTo(1);
    }
    if (call.outcome().succeeded()) {
      assertThat(executions).as("executions of call %d", call.number()).isPositive();
    } else {
      assertThat(call.outcome().cause()).isInstanceOfSatisfying(RpcException.class, failure -> {
        if (!failure.maybeExecuted()) {
          assertThat(executions).as("executions of call %d: %s", call.number(), failure).isZero();
        }
      });
    }
  }

  /** Fails if {@code ChannelServer} does not wait for what it was given. */
  @Test
  @DisplayName("Servers come and go in good order, under load: no call is lost")
  void noneIsLost() {
    // Closing alone would wait for none of those that are under way.
    group.clientOptions.setDrainTimeout(Duration.ofMillis(1));
    RpcChannel channel = group.start(2).channel(LoadBalancer.ROUND_ROBIN);
    List<AtomicInteger> numbers = List.of(new AtomicInteger());
    CallLoops load = new CallLoops(12, () -> {
      int number = numbers.get(0).getAndIncrement();
      return channel.call(ServerGroup.add(number));
    });
    for (int i = 0; i < 20; i++) {
      ServerGroup.Member coming = group.start();
      List<SocketAddress> all = new ArrayList<>(group.listed);
      ServerGroup.Member leaving = group.members.get(i);
      all.remove(leaving.address());
      all.add(coming.address());
      group.listed = all;
      Waiting.until(() -> coming.ledger.size() > 5);
      // What was given to it before has an outcome, and nothing new is given to it.
      leaving.accepted.forEach(connection -> Waiting.await(connection.closeFuture()));
      Waiting.await(leaving.server.close());
    }
    Waiting.await(load.stop());
    int count = numbers.get(0).get();
    for (int number = 0; number < count; number++) {
      long of = number;
      assertThat(group.members.stream().mapToInt(member -> member.ledger.executions(of)).sum())
          .as("executions of call %d", number).isEqualTo(1);
    }
  }
}
