// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.cluster.impl.directory.Advertiser;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/**
 * Makes a server known in the cluster that its Vert.x instance is a node of, until it is closed: as the server of all
 * programs that are bound on it, those to come too.
 *
 * <pre>{@code
 * RpcServer.create(vertx).bind(Orders.class, new OrderDesk()).listen(address)
 *     .compose(server -> ClusterAdvertisement.publish(vertx, server));
 * }</pre>
 *
 * <p>When the server is closed, for whatever reason, it is taken back first: clients go elsewhere, and only then it
 * stops to accept. The entry of a server that dies goes when its time to live is over. What the cluster does not take
 * is put again, and logged; the server is never touched by that.
 */
public interface ClusterAdvertisement {

  /**
   * Makes a server known, with {@link AdvertisementOptions#DEFAULT}.
   *
   * @param vertx a node of the cluster, or an instance without one
   * @param server listens already
   * @return as below
   */
  static Future<ClusterAdvertisement> publish(Vertx vertx, RpcServer server) {
    return publish(vertx, server, AdvertisementOptions.DEFAULT);
  }

  /**
   * Makes a server known.
   *
   * @param vertx a node of the cluster, or an instance without one
   * @param server listens already
   * @param options how
   * @return completes when it has been tried for the first time, whatever came of it; fails with an {@link
   *     IllegalStateException} if the server does not listen, or nobody says by which host others reach it, and with an
   *     {@link dev.rpcrdma.api.RpcClosedException} if the server is closing
   */
  static Future<ClusterAdvertisement> publish(Vertx vertx, RpcServer server, AdvertisementOptions options) {
    return Advertiser.publish(vertx, server, options);
  }

  /**
   * By what it is known.
   *
   * @return drawn for this advertisement
   */
  String instance();

  /**
   * Whether the cluster has it.
   *
   * @return whether it took the entry when it was put last
   */
  boolean isPublished();

  /**
   * Takes the server back, which goes on. Idempotent.
   *
   * @return completes when the cluster knows, or cannot be told within a third of the time to live
   */
  Future<Void> withdraw();
}
