// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.replicated;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.fixture.LedgerService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.cluster.CutNetwork;
import dev.rpcrdma.testkit.cluster.LoopbackHazelcast;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.shareddata.AsyncMap;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;

/** Nodes of a cluster of their own on loopback, each with a server that a test can kill. */
final class HazelcastNodes implements AutoCloseable {

  /** Of a busy machine. */
  private static final int BACKUP_MILLIS = 4000;

  /** One of them. */
  final class Node {

    /** Null if the network is not to be cut. */
    final CutNetwork.Host host;
    final HazelcastClusterManager manager;
    final HazelcastInstance hazelcast;
    final Vertx vertx;
    final LedgerService ledger;
    RpcServer server;
    /** Also when it is killed. */
    SocketAddress address;

    private Node() {
      host = network == null ? null : network.host();
      LoopbackHazelcast.Node joined = host == null ? LoopbackHazelcast.joinKeeping(config())
          : LoopbackHazelcast.joinKeeping(host.place(config()), host.eventBus());
      manager = joined.manager();
      vertx = joined.vertx();
      hazelcast = manager.getHazelcastInstance();
      ledger = new LedgerService(vertx);
    }

    /** Serves the ledger. */
    void serve(RpcService service) {
      server = RpcServer.builder(vertx).with(serverOptions).build().bind(service);
      Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
      address = SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST);
    }

    /** How many it sees, itself too. */
    int members() {
      return hazelcast.getCluster().getMembers().size();
    }

    AsyncMap<String, Buffer> map() {
      return Waiting.await(vertx.sharedData().getClusterWideMap(ReplicatedRepliesOptions.DEFAULT_MAP_NAME));
    }

    /** Without a word to anybody in the cluster. */
    void kill() {
      hazelcast.getLifecycleService().terminate();
      Waiting.await(server.shutdown(Duration.ZERO));
    }
  }

  final RpcServerOptions serverOptions = new RpcServerOptions();
  final List<Node> nodes = new ArrayList<>();
  private final String name = UUID.randomUUID().toString();
  private final int smallest;
  private final CutNetwork network;

  /**
   * A cluster.
   *
   * @param smallest of fewer nodes none gets at the map
   */
  HazelcastNodes(int count, int smallest, BiFunction<HazelcastNodes, Node, RpcService> service) {
    this(count, smallest, service, null);
  }

  /**
   * A cluster.
   *
   * @param smallest of fewer nodes none gets at the map
   * @param network null if it is not to be cut
   */
  HazelcastNodes(int count, int smallest, BiFunction<HazelcastNodes, Node, RpcService> service, CutNetwork network) {
    this.smallest = smallest;
    this.network = network;
    for (int i = 0; i < count; i++) {
      Node node = new Node();
      nodes.add(node);
      node.serve(service.apply(this, node));
    }
    joined();
  }

  /** Each sees all. */
  void joined() {
    Waiting.until(() -> nodes.stream().allMatch(node -> node.members() == nodes.size()));
    safe();
  }

  /** All backups are where they have to be. */
  void safe() {
    Waiting.until(() -> nodes.stream().filter(node -> node.hazelcast.getLifecycleService().isRunning())
        .allMatch(node -> node.hazelcast.getPartitionService().isClusterSafe()));
  }

  private Config config() {
    Config config = LoopbackHazelcast.config(name,
        nodes.stream().map(node -> LoopbackHazelcast.member(node.manager)).toList());
    return LoopbackHazelcast.keepReplies(config, ReplicatedRepliesOptions.DEFAULT_MAP_NAME, smallest, BACKUP_MILLIS);
  }

  /** How often a call was executed, by all of them. */
  int executions(long number) {
    return nodes.stream().mapToInt(node -> node.ledger.executions(number)).sum();
  }

  @Override
  public void close() {
    List<Future<Void>> ends = new ArrayList<>();
    for (Node node : nodes) {
      LoopbackHazelcast.terminate(node.manager);
      // Those that were killed cannot say goodbye.
      ends.add(node.vertx.close().otherwiseEmpty());
    }
    Waiting.await(Future.join(ends));
  }
}
