// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.replicated;

import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.ServiceBinding;
import dev.rpcrdma.cluster.impl.directory.MapsOfClusters;
import dev.rpcrdma.cluster.impl.replicated.ReplicatedService;
import dev.rpcrdma.cluster.impl.replicated.ReplyMap;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.shareddata.AsyncMap;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * What the servers of a program know of its calls together, in a map of their cluster. A call that was sent to a server
 * that dies goes on to another one, and <b>is executed at most once by all of them</b>: its caller gets the reply if it
 * was stored, or else a failure that says {@code maybeExecuted()}.
 *
 * <pre>{@code
 * ReplicatedReplies replies = ReplicatedReplies.create(vertx, new ReplicatedRepliesOptions());   // on each server
 * RpcServer server = RpcServer.create(vertx).bind(replies.around(Orders.class, new OrderDesk()));
 *
 * Orders orders = channel.proxy(Orders.class, CallOptions.DEFAULT.withReplicatedReplies());      // at each client
 * }</pre>
 *
 * <p>Before a call is executed it is claimed in the map by comparing and setting; before it is answered its reply is
 * stored there. A claim without a reply is never executed again. A call that cannot be claimed in time is not executed,
 * and goes on to the next server. All servers of the program must do so, and clients must ask for it by {@link
 * dev.rpcrdma.api.CallOptions#withReplicatedReplies}; calls of others are served as ever. Peers have to take metadata
 * ({@link dev.rpcrdma.api.RpcOptions#isMetadata}); to one that does not, such a call is not sent.
 *
 * <p>One instance for each server, or for several of one Vert.x instance; from any thread.
 */
public final class ReplicatedReplies {

  private final ReplyMap map;
  private final ReplicatedRepliesOptions options;

  private ReplicatedReplies(Supplier<Future<AsyncMap<String, Buffer>>> map, ReplicatedRepliesOptions options) {
    this.options = new ReplicatedRepliesOptions(options);
    this.map = new ReplyMap(map, this.options);
  }

  /**
   * Replies in a map of the cluster that a Vert.x instance is a node of.
   *
   * @param vertx a clustered instance
   * @param options the name of the map, and bounds; copied
   * @return what services are put into
   * @throws IllegalStateException if the instance is not clustered: nobody else would see the map
   */
  public static ReplicatedReplies create(Vertx vertx, ReplicatedRepliesOptions options) {
    if (!vertx.isClustered()) {
      throw new IllegalStateException("Replies are kept together by the nodes of a cluster; build Vert.x with a cluster"
          + " manager and buildClustered()");
    }
    String name = options.getMapName();
    Context worker = Contexts.newWorker(vertx);
    return new ReplicatedReplies(() -> MapsOfClusters.get(worker, name), options);
  }

  /**
   * Replies in a map of the caller's own, such as one that is shared by other means.
   *
   * @param map has to compare before it sets, for all servers at once; entries have no order
   * @param options bounds; copied. The name of the map is of no use
   * @return what services are put into
   */
  public static ReplicatedReplies create(AsyncMap<String, Buffer> map, ReplicatedRepliesOptions options) {
    Objects.requireNonNull(map, "map");
    return new ReplicatedReplies(() -> Future.succeededFuture(map), options);
  }

  /**
   * A service whose calls are executed at most once by all servers that share the map. To be bound in the place of the
   * other one; what stands before services ({@link dev.rpcrdma.api.ServiceInterceptor}) stands before this one, and
   * hears of repetitions, too.
   *
   * @param service is called for each call that this server executes
   * @return the service to bind
   */
  public RpcService around(RpcService service) {
    return new ReplicatedService(Objects.requireNonNull(service, "service"), map, options.getMaxReplyBytes());
  }

  /**
   * The service of an annotated interface, as {@link #around(RpcService)} does it.
   *
   * @param type the interface
   * @param implementation is called for each call that this server executes
   * @param <S> the interface
   * @return the service to bind
   */
  public <S> RpcService around(Class<S> type, S implementation) {
    return around(ServiceBinding.of(type).service(implementation));
  }
}
