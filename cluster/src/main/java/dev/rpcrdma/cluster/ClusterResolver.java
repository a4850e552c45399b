// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster;

import dev.rpcrdma.api.resolver.ProgramAddress;
import dev.rpcrdma.cluster.impl.directory.ClusterEndpoints;
import dev.rpcrdma.cluster.impl.directory.Directory;
import io.vertx.core.Vertx;
import io.vertx.core.net.AddressResolver;
import io.vertx.core.spi.endpoint.EndpointResolver;
import java.util.Objects;

/**
 * Finds the servers that make themselves known in a cluster by {@link ClusterAdvertisement}.
 *
 * <pre>{@code
 * RpcClient client = RpcClient.builder(vertx).withAddressResolver(ClusterResolver.create()).build();
 * RpcChannel orders = client.channel(ProgramAddress.of(Orders.class));
 * }</pre>
 *
 * <p>Servers are sorted by their instances, and known to load balancers by them. Immutable.
 */
public final class ClusterResolver implements AddressResolver<ProgramAddress> {

  private final DirectoryOptions options;
  /** Null if each client has one of its own. */
  private final Directory directory;

  private ClusterResolver(DirectoryOptions options, Directory directory) {
    this.options = options;
    this.directory = directory;
  }

  /**
   * A resolver with {@link DirectoryOptions#DEFAULT}.
   *
   * @return the resolver; each client reads the cluster's map for itself
   */
  public static ClusterResolver create() {
    return create(DirectoryOptions.DEFAULT);
  }

  /**
   * A resolver.
   *
   * @param options how each client keeps up to date
   * @return the resolver; each client reads the cluster's map for itself
   */
  public static ClusterResolver create(DirectoryOptions options) {
    return new ClusterResolver(Objects.requireNonNull(options, "options"), null);
  }

  /**
   * A resolver of the servers in a directory, which clients share, and do not close.
   *
   * @param directory what {@link ClusterDirectory#open} has opened
   * @return the resolver
   */
  public static ClusterResolver of(ClusterDirectory directory) {
    return new ClusterResolver(null, (Directory) Objects.requireNonNull(directory, "directory"));
  }

  @Override
  public EndpointResolver<ProgramAddress, ?, ?, ?> endpointResolver(Vertx vertx) {
    return directory == null ? new ClusterEndpoints<>(Directory.open(vertx, options), true)
        : new ClusterEndpoints<>(directory, false);
  }
}
