// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nodes;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.cluster.ClusterAdvertisement;
import io.vertx.core.Future;
import io.vertx.core.net.SocketAddress;
import java.util.concurrent.TimeUnit;

/** The process of one node: joins the cluster, serves, and makes itself known. */
public final class WhoNode {

  private WhoNode() {}

  /**
   * Serves until standard input ends, or it is killed. Ends with status 1 if it cannot.
   *
   * @param arguments the cluster's name, the port of a member, and the node's name
   */
  public static void main(String[] arguments) {
    try {
      serve(arguments);
      System.exit(0);
    } catch (Exception e) {
      e.printStackTrace();
      // Threads of Vert.x and Hazelcast would keep the process.
      System.exit(1);
    }
  }

  private static void serve(String[] arguments) throws Exception {
    Who service = () -> Future.succeededFuture(arguments[2]);
    LoopbackMember.join(arguments[0], Integer.parseInt(arguments[1]))
        .compose(member -> RpcServer.create(member.vertx()).bind(Who.class, service)
            .listen(SocketAddress.inetSocketAddress(0, "127.0.0.1"))
            .compose(server -> ClusterAdvertisement.publish(member.vertx(), server)))
        .toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    System.out.println("serving");
    while (System.in.read() >= 0) {
      // Whoever has started it says nothing.
    }
  }
}
