// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.rpcbind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcNotRegisteredException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.protocol.rpcbind.Netid;
import dev.rpcrdma.protocol.rpcbind.Rpcb;
import dev.rpcrdma.protocol.rpcbind.RpcbindProgram;
import dev.rpcrdma.protocol.rpcbind.UniversalAddress;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The rpcbind of this host, such as Debian's, if it has one: skipped otherwise. Run in the lab's machine as well, which
 * has one. Leaves nothing there. Fails if {@code RpcbindImpl} believes what Debian's GETADDR says of RDMA.
 */
@DisplayName("The rpcbind of this host")
public final class HostRpcbindTest {

  private static final int PROGRAM = 0x20060043;
  /** Of which 127.0.0.1 is an address also where there are devices. */
  private static final String PROVIDER = "siw";
  /** For the first question of a machine that is emulated. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final Vertx vertx = Vertx.vertx();
  private final Rpcbind rpcbind = Rpcbind.of(vertx, SocketAddress.inetSocketAddress(RpcbindProgram.PORT, "127.0.0.1"),
      RpcbindOptions.DEFAULT.withTimeout(PATIENCE));

  @BeforeEach
  void isThere() {
    Throwable none = Waiting.outcome(rpcbind.dump());
    if (none != null) {
      System.out.println("Skipped: " + none.getMessage());
      Assumptions.abort(none.getMessage());
    }
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  @Test
  @DisplayName("R-181, R-182: it takes registrations for rdma and rdma6, and gives them back")
  void registrations() {
    for (UniversalAddress address : new UniversalAddress[] {new UniversalAddress("127.0.0.1", 20049),
        new UniversalAddress("::1", 20049)}) {
      Rpcb entry = new Rpcb(PROGRAM, 1, address.rdmaNetid(), address.toString(), "me");
      assertThat(Waiting.await(rpcbind.register(entry))).isTrue();
      assertThat(Waiting.await(rpcbind.getAddress(PROGRAM, 1, address.rdmaNetid()))).isEqualTo(address);
      assertThat(Waiting.await(rpcbind.locate(PROGRAM, 1)).port()).isEqualTo(20049);
      assertThat(Waiting.await(rpcbind.unregister(entry))).isTrue();
    }
    assertThat(Waiting.await(rpcbind.dump())).noneMatch(each -> each.program() == PROGRAM);
    assertThat(Waiting.await(rpcbind.getAddress(100000, 4, Netid.TCP)).port()).isEqualTo(111);
    assertThat(Waiting.awaitFailure(rpcbind.getAddress(100000, 4, Netid.RDMA)))
        .as("Debian's GETADDR says that of TCP").isInstanceOf(RpcNotRegisteredException.class);
  }

  private static RpcServerOptions options() {
    return new RpcServerOptions().setProvider(PROVIDER).setRpcbind(RpcbindPolicy.REQUIRE);
  }

  @Test
  @DisplayName("R-180: a server registers there, and a channel finds it by host and program")
  void server() {
    RpcServer server = RpcServer.create(vertx, options())
        .bind(new NullService(PROGRAM));
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    RpcClient client = RpcClient.builder(vertx).with(new RpcClientOptions().setProvider(PROVIDER)).build();
    Waiting.await(client.channel("127.0.0.1", PROGRAM, 1).call(RpcRequest.to(PROGRAM, 1, 0).build()));
    Waiting.await(client.close());
    Waiting.await(server.close());
    assertThat(Waiting.await(rpcbind.dump())).noneMatch(each -> each.program() == PROGRAM);
  }

  /** Fails if {@code Registration} does not go by the socket. */
  @Test
  @DisplayName("R-182: what a server registers belongs to its user, and nobody takes it back by TCP; what one has"
      + " registered by TCP before is replaced")
  void owner() {
    Assumptions.assumeTrue(Files.exists(Path.of("/run/rpcbind.sock")), "rpcbind has no socket here");
    Waiting.await(rpcbind.register(new Rpcb(PROGRAM, 1, Netid.RDMA, "127.0.0.1.0.1", "")));
    RpcServer server = RpcServer.create(vertx, options())
        .bind(new NullService(PROGRAM));
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    Rpcb registered = Waiting.await(rpcbind.dump()).stream().filter(each -> each.program() == PROGRAM).findFirst()
        .orElseThrow();
    assertThat(registered.address()).isEqualTo(new UniversalAddress("127.0.0.1", server.actualPort()).toString());
    assertThat(registered.owner()).isNotEqualTo("unknown");
    assertThat(Waiting.await(rpcbind.unregister(registered))).isFalse();
    assertThat(Waiting.await(rpcbind.dump())).contains(registered);
    Waiting.await(server.close());
    assertThat(Waiting.await(rpcbind.dump())).noneMatch(each -> each.program() == PROGRAM);
  }
}
