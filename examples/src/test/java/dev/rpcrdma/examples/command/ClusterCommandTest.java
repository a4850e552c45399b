// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.cluster.ClusterAdvertisement;
import dev.rpcrdma.examples.nodes.LoopbackMember;
import dev.rpcrdma.examples.nodes.Who;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.tools.cli.Commands;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a user sees of a cluster. */
@Timeout(120)
@Tag("large")
class ClusterCommandTest {

  private final Commands commands = new Commands();

  @Test
  @DisplayName("Lists servers with their addresses, devices and programs; a cluster that is not there is said so")
  void lists() {
    String name = UUID.randomUUID().toString();
    LoopbackMember member = Waiting.await(LoopbackMember.join(name, 0));
    Vertx vertx = member.vertx();
    try {
      RpcServer server = Waiting.await(RpcServer.create(vertx).bind(Who.class, () -> Future.succeededFuture("one"))
          .listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
      Waiting.await(ClusterAdvertisement.publish(vertx, server));
      assertThat(commands.run("cluster", "--member", "127.0.0.1:" + member.port(), "--cluster", name))
          .as(commands.err()).isZero();
      // Connections, then calls.
      assertThat(commands.out()).containsPattern("connections +calls state").containsPattern("siw +0 +0 up");
      assertThat(commands.out())
          .contains("127.0.0.1:" + server.actualPort(), "siw", "up", "Who", "1 servers on 1 nodes");
    } finally {
      Waiting.await(vertx.close());
    }
    assertThat(commands.run("cluster", "--member", "127.0.0.1:" + member.port(), "--cluster", name)).isOne();
    assertThat(commands.err()).contains("No member of the cluster \"" + name + "\" answers at 127.0.0.1:");
  }

  /** Fails if {@code ClusterCommand.join} writes an address as {@code HostPort} does not read it. */
  @Test
  @DisplayName("Addresses of IPv6 stand in brackets")
  void ipv6() {
    String name = UUID.randomUUID().toString();
    assertThat(commands.run("cluster", "--member", "[::1]:1", "--cluster", name)).isOne();
    assertThat(commands.err()).contains("No member of the cluster \"" + name + "\" answers at [::1]:1");
  }
}
