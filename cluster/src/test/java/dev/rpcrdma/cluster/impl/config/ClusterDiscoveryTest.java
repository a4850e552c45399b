// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.cluster.ClusterDirectory;
import dev.rpcrdma.cluster.ClusterServer;
import dev.rpcrdma.cluster.DirectoryOptions;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.fabric.MemoryProvider;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Servers that make themselves known by the key {@code cluster} of their configuration. */
class ClusterDiscoveryTest {

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  /** Fails if {@code ClusterDiscovery.advertise} reads its configuration only when the server listens. */
  @Test
  @DisplayName("What is wrong with the key cluster is said before the server listens")
  void wrong() {
    assertThatThrownBy(() -> new ClusterDiscovery().advertise(vertx, new JsonObject().put("prot", 7)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("No such cluster option: prot; there are host, leave");
  }

  /** Fails if {@code ClusterDiscovery.advertise} makes a server known otherwise than its configuration says. */
  @Test
  @DisplayName("A server is known in the map, and by the host and port, that its configuration names")
  void known() {
    RpcServer server = Waiting.await(RpcServer.create(vertx, new RpcServerOptions().setProvider(MemoryProvider.NAME))
        .listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    Waiting.await(new ClusterDiscovery().advertise(vertx, new JsonObject().put("host", "blobs.example.com")
        .put("port", 7).put("map", "another")).apply(server));
    ClusterDirectory directory = ClusterDirectory.open(vertx, DirectoryOptions.DEFAULT.withMap("another"));
    ClusterServer found = Waiting.await(directory.refresh()).get(0);
    assertThat(found.host()).isEqualTo("blobs.example.com");
    assertThat(found.port()).isEqualTo(7);
  }
}
