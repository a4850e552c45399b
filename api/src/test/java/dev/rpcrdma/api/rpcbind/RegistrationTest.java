// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.rpcbind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcListenException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.protocol.rpcbind.Netid;
import dev.rpcrdma.protocol.rpcbind.Rpcb;
import dev.rpcrdma.testkit.FreePort;
import dev.rpcrdma.testkit.LoggedMessages;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Servers that register with the rpcbind of their host. Fails if {@code Registration} takes back what another instance
 * still needs, or leaves something there when the last one has closed.
 */
@DisplayName("R-182: a server registers its port of RDMA")
class RegistrationTest {

  private static final int PROGRAM = 0x20060042;

  private final Vertx vertx = Vertx.vertx();
  private final RpcbindServer rpcbind =
      Waiting.await(RpcbindServer.listen(vertx, SocketAddress.inetSocketAddress(0, "127.0.0.1")));

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private RpcServer server(RpcbindPolicy policy, int rpcbindPort) {
    return RpcServer.create(vertx, new RpcServerOptions().setRpcbind(policy).setRpcbindPort(rpcbindPort))
        .bind(new NullService(PROGRAM));
  }

  private List<Rpcb> registered() {
    return rpcbind.entries().stream().filter(each -> each.program() == PROGRAM).toList();
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1, rdma, 127.0.0.1", "0.0.0.0, rdma, 0.0.0.0", "::1, rdma6, ::1", "localhost, rdma, 127.0.0.1"})
  @DisplayName("R-180, R-181: it is there from listen to close, and a channel that asks rpcbind calls it")
  void fromListenToClose(String host, String netid, String registered) {
    RpcServer server = server(RpcbindPolicy.REQUIRE, rpcbind.actualPort());
    assertThat(registered()).isEmpty();
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, host)));
    int port = server.actualPort();
    assertThat(registered()).singleElement().satisfies(entry -> {
      assertThat(entry.netid()).isEqualTo(netid);
      assertThat(entry.address()).isEqualTo(registered + "." + (port >> 8) + "." + (port & 0xff));
    });
    RpcClient client = RpcClient.create(vertx);
    RpcChannel channel = client.channel(new RpcbindAddress(
        SocketAddress.inetSocketAddress(rpcbind.actualPort(), "127.0.0.1"), PROGRAM, 1));
    Waiting.await(channel.call(RpcRequest.to(PROGRAM, 1, 0).build()));
    Waiting.await(client.close());
    Waiting.await(server.close());
    assertThat(registered()).isEmpty();
  }

  @Test
  @DisplayName("A server on all addresses of IPv6 is registered for both families")
  void allAddresses() {
    RpcServer server = server(RpcbindPolicy.REQUIRE, rpcbind.actualPort());
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "::")));
    assertThat(registered()).extracting(Rpcb::netid).containsExactly(Netid.RDMA6, Netid.RDMA);
    Waiting.await(server.close());
    assertThat(registered()).isEmpty();
  }

  @Test
  @DisplayName("Servers behind one address are registered until the last one closes; what was there before is replaced")
  void instances() {
    SocketAddress address = SocketAddress.inetSocketAddress(FreePort.find(), "127.0.0.1");
    Rpcbind asked = Rpcbind.of(vertx, SocketAddress.inetSocketAddress(rpcbind.actualPort(), "127.0.0.1"),
        RpcbindOptions.DEFAULT);
    Waiting.await(asked.register(new Rpcb(PROGRAM, 1, Netid.RDMA, "127.0.0.1.0.1", System.getProperty("user.name"))));
    RpcServer first = server(RpcbindPolicy.REQUIRE, rpcbind.actualPort());
    RpcServer second = server(RpcbindPolicy.REQUIRE, rpcbind.actualPort());
    Waiting.await(first.listen(address));
    Waiting.await(second.listen(address));
    assertThat(registered()).singleElement().extracting(Rpcb::address).isNotEqualTo("127.0.0.1.0.1");
    Waiting.await(first.close());
    assertThat(registered()).hasSize(1);
    Waiting.await(second.close());
    assertThat(registered()).isEmpty();
  }

  @Test
  @DisplayName("Without an rpcbind TRY listens all the same, and REQUIRE does not, and may listen again")
  void policies() {
    SocketAddress any = SocketAddress.inetSocketAddress(0, "127.0.0.1");
    RpcServer trying = server(RpcbindPolicy.TRY, FreePort.find());
    Waiting.await(trying.listen(any));
    Waiting.await(trying.close());
    RpcServer requiring = server(RpcbindPolicy.REQUIRE, FreePort.find());
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThat(Waiting.awaitFailure(requiring.listen(any))).isInstanceOf(RpcListenException.class)
          .hasMessageContaining("rpcbind=REQUIRE");
      assertThat(requiring.actualPort()).isEqualTo(-1);
    }
    Waiting.await(requiring.close());
  }

  /** Fails if {@code Registration.end} does not ask whether rpcbind has taken the entry. */
  @Test
  @DisplayName("What was never registered is not said to stay there")
  void nothingStays() {
    try (LoggedMessages logged = new LoggedMessages("dev.rpcrdma.api.impl.rpcbind.Registration")) {
      RpcServer trying = server(RpcbindPolicy.TRY, FreePort.find());
      Waiting.await(trying.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
      Waiting.await(trying.close());
      assertThat(logged.all()).anyMatch(message -> message.contains("is not registered"))
          .noneMatch(message -> message.contains("stays there"));
    }
  }

  @Test
  @DisplayName("What somebody else has registered is not replaced")
  void somebodyElses() {
    Rpcbind asked = Rpcbind.of(vertx, SocketAddress.inetSocketAddress(rpcbind.actualPort(), "127.0.0.1"),
        RpcbindOptions.DEFAULT);
    Rpcb others = new Rpcb(PROGRAM, 1, Netid.RDMA, "127.0.0.1.0.1", "somebody else");
    Waiting.await(asked.register(others));
    RpcServer server = server(RpcbindPolicy.REQUIRE, rpcbind.actualPort());
    assertThat(Waiting.awaitFailure(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1"))))
        .isInstanceOf(RpcListenException.class);
    assertThat(registered()).containsExactly(others);
    Waiting.await(server.close());
  }
}
