// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.EntryView;
import com.hazelcast.map.IMap;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.fixture.ServerGroup;
import dev.rpcrdma.cluster.replicated.SteppedReplyMap.Stop;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.AddressResolver;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers that are nodes of a Hazelcast cluster, one of which is killed. */
@Tag("large")
class ReplicatedRepliesClusterTest {

  private final Vertx calling = Vertx.vertx();
  private final RpcClientOptions clientOptions = new RpcClientOptions().setReconnectAttempts(1)
      .setReconnectDelay(Duration.ofMillis(1)).setMaxReconnectDelay(Duration.ofMillis(20));
  /** Far above what a node in trouble takes, and below the timeout of a call. */
  private final ReplicatedRepliesOptions options = new ReplicatedRepliesOptions().setMapTimeout(Duration.ofSeconds(15));
  private HazelcastNodes cluster;
  /** What the first node has for a map. */
  private SteppedReplyMap stepped;

  @AfterEach
  void close() {
    Waiting.await(calling.close());
    if (cluster != null) {
      cluster.close();
    }
  }

  private RpcService replicated(HazelcastNodes all, HazelcastNodes.Node node) {
    if (all.nodes.size() == 1) {
      stepped = new SteppedReplyMap(node.map());
      return ReplicatedReplies.create(stepped.map, options).around(node.ledger);
    }
    return ReplicatedReplies.create(node.vertx, options).around(node.ledger);
  }

  private RpcChannel channel(LoadBalancer balancer) {
    return RpcClient.builder(calling).with(clientOptions).withLoadBalancer(balancer)
        .withAddressResolver(AddressResolver.mappingResolver(
            (ServerGroup.Name name) -> cluster.nodes.stream().map(node -> node.address).toList()))
        .build().channel(ServerGroup.ADDRESS);
  }

  private static RpcRequest<Buffer> add(long number) {
    RpcRequest<Buffer> request = ServerGroup.add(number);
    return request.withOptions(request.options().withReplicatedReplies());
  }

  @Test
  @DisplayName("A node is killed before and after it claims, while it executes, before and after it stores")
  void eachStep() {
    cluster = new HazelcastNodes(3, 2, this::replicated);
    HazelcastNodes.Node first = cluster.nodes.get(0);
    RpcChannel channel = channel(LoadBalancer.FIRST);
    Map<Stop, Future<Buffer>> calls = new EnumMap<>(Stop.class);
    for (Stop where : Stop.values()) {
      CountDownLatch reached = stepped.stop(where);
      calls.put(where, channel.call(add(where.ordinal() * 2 + 1)));
      Waiting.await(reached);
    }
    first.ledger.hold();
    Future<Buffer> executing = channel.call(add(9));
    Waiting.until(() -> first.ledger.executions(9) == 1);
    first.kill();
    Waiting.await(calls.get(Stop.BEFORE_CLAIM));
    assertThat(cluster.executions(1)).isEqualTo(1);
    assertMaybeExecuted(calls.get(Stop.AFTER_CLAIM));
    assertThat(cluster.executions(3)).isZero();
    assertMaybeExecuted(calls.get(Stop.BEFORE_STORE));
    assertThat(cluster.executions(5)).isEqualTo(1);
    Waiting.await(calls.get(Stop.AFTER_STORE));
    assertThat(first.ledger.executions(7)).isEqualTo(1);
    assertThat(cluster.executions(7)).isEqualTo(1);
    assertMaybeExecuted(executing);
    assertThat(cluster.executions(9)).isEqualTo(1);
    Waiting.await(channel.call(add(11)));
    assertThat(cluster.executions(11)).isEqualTo(1);
  }

  private static void assertMaybeExecuted(Future<?> call) {
    assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcException.class,
        e -> assertThat(e.maybeExecuted()).isTrue());
  }

  @Test
  @DisplayName("Under load, with a node killed in the middle, no call is executed twice and none is lost silently")
  void underLoad() {
    cluster = new HazelcastNodes(3, 2, this::replicated);
    RpcChannel channel = channel(LoadBalancer.ROUND_ROBIN);
    int count = 600;
    List<Future<Buffer>> calls = new ArrayList<>();
    AtomicInteger ended = new AtomicInteger();
    for (int i = 0; i < count; i++) {
      calls.add(channel.call(add(i)).onComplete(any -> ended.incrementAndGet()));
      if (i == count / 2) {
        Waiting.until(() -> ended.get() > count / 8);
        cluster.nodes.get(1).kill();
      }
    }
    int succeeded = 0;
    for (int i = 0; i < count; i++) {
      Throwable failure = Waiting.outcome(calls.get(i));
      if (failure == null) {
        succeeded++;
        assertThat(cluster.executions(i)).as("Executions of %s", i).isEqualTo(1);
      } else {
        assertThat(cluster.executions(i)).as("Executions of %s, which failed by %s", i, failure)
            .isLessThanOrEqualTo(failure instanceof RpcException known && known.maybeExecuted() ? 1 : 0);
      }
    }
    System.out.println(succeeded + " of " + count + " calls have their replies");
    assertThat(succeeded).isGreaterThan(count / 2);
  }

  @Test
  @DisplayName("A minority executes nothing; entries that were replaced live as long as the map's configuration says")
  void minority() {
    options.setEntryTime(Duration.ofMinutes(10));
    cluster = new HazelcastNodes(2, 2, this::replicated);
    RpcChannel channel = channel(LoadBalancer.FIRST);
    Waiting.await(channel.call(add(1)));
    Waiting.await(channel.call(add(3)));
    HazelcastNodes.Node first = cluster.nodes.get(0);
    IMap<Object, Object> map = first.hazelcast.getMap(ReplicatedRepliesOptions.DEFAULT_MAP_NAME);
    assertThat(map.keySet()).hasSize(1);
    EntryView<Object, Object> view = map.getEntryView(map.keySet().iterator().next());
    assertThat(view.getTtl()).isEqualTo(Duration.ofMinutes(30).toMillis());
    cluster.nodes.get(1).kill();
    // A moment later than the list of members has one alone.
    Waiting.until(() -> !first.hazelcast.getSplitBrainProtectionService().getSplitBrainProtection("majority")
        .hasMinimumSize());
    assertThat(Waiting.awaitFailure(channel.call(add(5)))).isInstanceOfSatisfying(RpcException.class,
        e -> assertThat(e.maybeExecuted()).isFalse());
    assertThat(cluster.executions(5)).isZero();
  }
}
