// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.rpcbind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.rpcbind.Rpcbind;
import dev.rpcrdma.api.rpcbind.RpcbindOptions;
import dev.rpcrdma.api.rpcbind.RpcbindServer;
import dev.rpcrdma.protocol.rpcbind.Netid;
import dev.rpcrdma.protocol.rpcbind.Rpcb;
import dev.rpcrdma.testkit.FreePort;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Registering by the socket of an rpcbind: one rpcbind is behind it here, and another one listens at the port. */
@DisplayName("The rpcbind of this host, for those who register")
class LocalRpcbindTest {

  private static final Rpcb ENTRY = new Rpcb(0x20060046, 1, Netid.RDMA, "127.0.0.1.78.81", "me");

  private final Vertx vertx = Vertx.vertx();
  private final RpcbindServer behind = rpcbind();
  private final RpcbindServer atPort = rpcbind();
  @TempDir
  private Path folder;

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private RpcbindServer rpcbind() {
    return Waiting.await(RpcbindServer.listen(vertx, SocketAddress.inetSocketAddress(0, "127.0.0.1")));
  }

  private static List<Rpcb> registered(RpcbindServer rpcbind) {
    return rpcbind.entries().stream().filter(each -> each.program() == ENTRY.program()).toList();
  }

  private static SocketAddress at(RpcbindServer rpcbind) {
    return SocketAddress.inetSocketAddress(rpcbind.actualPort(), "127.0.0.1");
  }

  private Path socket() {
    Path path = folder.resolve("rpcbind.sock");
    NetServer server = vertx.createNetServer().connectHandler(socket -> {
      socket.pause();
      vertx.createNetClient().connect(at(behind)).onSuccess(onward -> {
        socket.pipeTo(onward);
        onward.pipeTo(socket);
      });
    });
    Waiting.await(server.listen(SocketAddress.domainSocketAddress(path.toString())));
    return path;
  }

  private LocalRpcbind local(Path socket) {
    return LocalRpcbind.of(vertx, Optional.of(socket), atPort.actualPort(), RpcbindOptions.DEFAULT);
  }

  /** Fails if {@code LocalRpcbind} registers, or takes back, by TCP where there is a socket. */
  @Test
  @DisplayName("R-182: a registration goes by the socket, and is taken back by it")
  void bySocket() {
    LocalRpcbind local = local(socket());
    assertThat(Waiting.await(local.register(ENTRY))).isTrue();
    assertThat(registered(behind)).containsExactly(ENTRY);
    assertThat(registered(atPort)).isEmpty();
    assertThat(Waiting.await(local.unregister(ENTRY))).isTrue();
    assertThat(registered(behind)).isEmpty();
  }

  /** Fails if {@code LocalRpcbind.unregister} does not try TCP. */
  @Test
  @DisplayName("What is not given up by the socket, since it was registered by TCP, is taken back by TCP")
  void registeredByTcp() {
    Rpcb older = new Rpcb(ENTRY.program(), 1, Netid.RDMA, "127.0.0.1.0.1", "unknown");
    Waiting.await(Rpcbind.of(vertx, at(behind), RpcbindOptions.DEFAULT).register(older));
    Waiting.await(Rpcbind.of(vertx, at(atPort), RpcbindOptions.DEFAULT).register(ENTRY));
    assertThat(Waiting.await(local(socket()).unregister(ENTRY))).isTrue();
    assertThat(registered(atPort)).isEmpty();
    assertThat(registered(behind)).containsExactly(older);
  }

  /** Fails if {@code LocalRpcbind} gives up when nobody listens at a socket that is there. */
  @Test
  @DisplayName("Where there is no socket, or nobody listens at it, TCP is used; where there is neither, that is said")
  void byTcp() throws Exception {
    for (Path socket : new Path[] {folder.resolve("none"), Files.createFile(folder.resolve("dead"))}) {
      LocalRpcbind local = local(socket);
      assertThat(Waiting.await(local.register(ENTRY))).isTrue();
      assertThat(registered(atPort)).containsExactly(ENTRY);
      assertThat(Waiting.await(local.unregister(ENTRY))).isTrue();
      assertThat(registered(atPort)).isEmpty();
    }
    int nobody = FreePort.find();
    assertThat(Waiting.awaitFailure(LocalRpcbind.of(vertx, Optional.of(folder.resolve("dead")), nobody,
        RpcbindOptions.DEFAULT).register(ENTRY))).isInstanceOf(RpcConnectException.class)
        .hasMessageContaining("127.0.0.1:" + nobody);
    assertThat(registered(behind)).isEmpty();
  }
}
