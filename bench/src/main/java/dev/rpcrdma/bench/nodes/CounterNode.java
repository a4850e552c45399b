// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.nodes;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.bench.measure.PeerProcess;
import dev.rpcrdma.bench.measure.Waits;
import dev.rpcrdma.bench.peers.ClusteredEventBus;
import dev.rpcrdma.cluster.ClusterAdvertisement;
import dev.rpcrdma.cluster.replicated.ReplicatedReplies;
import dev.rpcrdma.cluster.replicated.ReplicatedRepliesOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;

/** The process of a node that serves, and keeps entries of Hazelcast's maps. */
public final class CounterNode {

  /** The system property that says where a member is. */
  static final String MEMBER = "rpcrdma.bench.member";

  private CounterNode() {}

  /** Answers what it gets. */
  private static final class Counting implements Counter {

    @Override
    public Future<Long> add(long by) {
      return Future.succeededFuture(by);
    }

    @Override
    public Future<Long> look(long value) {
      return Future.succeededFuture(value);
    }
  }

  /**
   * Serves until standard input ends.
   *
   * @param arguments none
   * @throws Exception if something cannot be started
   */
  public static void main(String[] arguments) throws Exception {
    Vertx vertx = ClusteredEventBus.join(Integer.getInteger(MEMBER));
    ReplicatedReplies replies = ReplicatedReplies.create(vertx, new ReplicatedRepliesOptions());
    RpcServer server = RpcServer.create(vertx).bind(replies.around(Counter.class, new Counting()));
    Waits.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    Waits.await(ClusterAdvertisement.publish(vertx, server));
    System.out.println(server.actualPort());
    PeerProcess.serve();
  }
}
