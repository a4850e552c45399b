// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.fixture.ServerGroup;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.cluster.CutNetwork;
import dev.rpcrdma.testkit.cluster.LoopbackHazelcast;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.AddressResolver;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers with replicated replies on three nodes of a Hazelcast cluster, one of which loses sight of the others. */
@Tag("large")
class SplitRepliesTest {

  /** So many calls at a time that some of their entries are with whichever node. */
  private static final int CALLS = 16;

  private final Vertx calling = Vertx.vertx();
  private final CutNetwork network = new CutNetwork();
  /** Far above what a split takes. */
  private final ReplicatedRepliesOptions options = new ReplicatedRepliesOptions().setMapTimeout(Duration.ofSeconds(15));
  private HazelcastNodes cluster;

  @AfterEach
  void close() {
    Waiting.await(calling.close());
    if (cluster != null) {
      cluster.close();
    }
    Waiting.await(network.close());
  }

  private RpcChannel channel(List<SocketAddress> servers) {
    return RpcClient.builder(calling).with(new RpcClientOptions().setReconnectAttempts(1)
        .setReconnectDelay(Duration.ofMillis(1))).withLoadBalancer(LoadBalancer.FIRST)
        .withAddressResolver(AddressResolver.mappingResolver((ServerGroup.Name name) -> servers)).build()
        .channel(ServerGroup.ADDRESS);
  }

  private static List<Future<Buffer>> add(RpcChannel channel, long first) {
    return numbers(first).mapToObj(number -> {
      RpcRequest<Buffer> request = ServerGroup.add(number);
      return channel.call(request.withOptions(request.options().withReplicatedReplies()));
    }).toList();
  }

  /** Odd ones: those are held. */
  private static LongStream numbers(long first) {
    return LongStream.range(0, CALLS).map(i -> first + 2 * i);
  }

  private void executed(HazelcastNodes.Node node, long first) {
    numbers(first).forEach(number -> {
      Waiting.until(() -> node.ledger.executions(number) == 1);
      assertThat(cluster.executions(number)).isEqualTo(1);
    });
  }

  /**
   * Fails if the merge has entries of the minority replace those of the majority, or the map is not protected: the
   * nodes' configuration is that of the documentation.
   */
  @Test
  @DisplayName("A minority executes nothing, and once it is back, nothing that the majority has claimed")
  void minority() {
    cluster = new HazelcastNodes(3, 2,
        (all, node) -> ReplicatedReplies.create(node.vertx, options).around(node.ledger), network);
    HazelcastNodes.Node major = cluster.nodes.get(0);
    HazelcastNodes.Node minor = cluster.nodes.get(1);
    RpcChannel channel = channel(List.of(major.address, minor.address));
    RpcChannel alone = channel(List.of(minor.address));
    // Entries of the slots that the later calls have, too, on whichever side.
    Promise<Void> gate = major.ledger.hold();
    List<Future<Buffer>> before = add(channel, 1);
    executed(major, 1);
    gate.complete();
    before.forEach(Waiting::await);

    network.split(List.of(minor.host));
    Waiting.until(() -> minor.members() == 1 && major.members() == 2);
    cluster.safe();
    major.ledger.hold();
    List<Future<Buffer>> claimed = add(channel, 101);
    executed(major, 101);
    for (Future<Buffer> call : add(alone, 201)) {
      assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcException.class,
          e -> assertThat(e.maybeExecuted()).isFalse());
    }
    assertThat(numbers(201).mapToInt(cluster::executions).sum()).isZero();

    CountDownLatch merged = LoopbackHazelcast.merged(minor.hazelcast);
    network.mend();
    Waiting.await(merged);
    cluster.joined();
    // The calls go on to the other server, which finds what the majority has claimed.
    Waiting.await(major.server.shutdown(Duration.ZERO));
    for (Future<Buffer> call : claimed) {
      assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcException.class,
          e -> assertThat(e.maybeExecuted()).isTrue());
    }
    executed(major, 101);
    add(alone, 301).forEach(Waiting::await);
    executed(minor, 301);
  }
}
