// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.vertx;

import dev.rpcrdma.verbs.base.ZonedAddress;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.cluster.ClusterManager;
import io.vertx.core.spi.metrics.VertxMetrics;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;

/** What an instance of Vert.x is made of. */
public final class VertxParts {

  private VertxParts() {}

  public static EventLoopGroup eventLoops(Vertx vertx) {
    return internal(vertx).nettyEventLoopGroup();
  }

  /** The threads of workers that belong to no verticle. */
  public static ExecutorService workers(Vertx vertx) {
    return internal(vertx).workerPool().executor();
  }

  /** Makes TCP connections on this loop, by the native transport and the host names of the instance. */
  public static Bootstrap connecting(Vertx vertx, EventLoop loop) {
    VertxInternal internal = internal(vertx);
    return new Bootstrap().group(loop).channelFactory(internal.transport().channelFactory(false))
        .resolver(internal.nameResolver().nettyAddressResolverGroup());
  }

  /** Listens for TCP connections, by the native transport of the instance, and has them on this loop. */
  public static ServerBootstrap listening(Vertx vertx, EventLoop loop) {
    VertxInternal internal = internal(vertx);
    return new ServerBootstrap().group(internal.acceptorEventLoopGroup(), loop)
        .channelFactory(internal.transport().serverChannelFactory(false));
  }

  /**
   * Looks a host up as the instance is set to, unless its address is known; the future's context is the current one.
   */
  public static Future<java.net.SocketAddress> resolve(Vertx vertx, SocketAddress address) {
    SocketAddress known = ZonedAddress.of(address);
    return known.hostAddress() == null ? internal(vertx).nameResolver().resolve(known)
        : Future.succeededFuture(new InetSocketAddress(known.hostAddress(), known.port()));
  }

  /** What the instance reports its metrics to; null if nothing. */
  public static VertxMetrics metrics(Vertx vertx) {
    return internal(vertx).metrics();
  }

  /** Null if the instance is not clustered. */
  public static ClusterManager clusterManager(Vertx vertx) {
    return internal(vertx).clusterManager();
  }

  private static VertxInternal internal(Vertx vertx) {
    return (VertxInternal) vertx;
  }
}
