// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster;

import dev.rpcrdma.cluster.impl.directory.Directory;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The servers of a cluster, kept up to date. While the cluster's map cannot be read, what was known last is known on.
 * Belongs to the context it was opened on; opened inside a verticle, it is closed when that is undeployed. From any
 * thread.
 */
public interface ClusterDirectory {

  /**
   * Opens a directory with {@link DirectoryOptions#DEFAULT}.
   *
   * @param vertx a node of the cluster, or an instance without one
   * @return empty, and read from now on
   */
  static ClusterDirectory open(Vertx vertx) {
    return open(vertx, DirectoryOptions.DEFAULT);
  }

  /**
   * Opens a directory.
   *
   * @param vertx a node of the cluster, or an instance without one
   * @param options how it is kept up to date
   * @return empty, and read from now on
   */
  static ClusterDirectory open(Vertx vertx, DirectoryOptions options) {
    return Directory.open(vertx, options);
  }

  /**
   * What is known.
   *
   * @return in the order of their instances; those that are draining too
   */
  List<ClusterServer> servers();

  /**
   * How old what is known is.
   *
   * @return the time since the map was read; empty if it never was
   */
  Optional<Duration> age();

  /**
   * Whether what is known is as new as it should be.
   *
   * @return whether the map was read within three refresh periods, or a second if that is longer
   */
  boolean isFresh();

  /**
   * Reads the map now.
   *
   * @return what is known then; or why it cannot be read, within some seconds
   */
  Future<List<ClusterServer>> refresh();

  /**
   * Reads no more. Idempotent.
   *
   * @return completes when nothing of it is left
   */
  Future<Void> close();
}
