// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.rpcbind.Rpcbind;
import dev.rpcrdma.api.rpcbind.RpcbindOptions;
import dev.rpcrdma.api.rpcbind.RpcbindServer;
import dev.rpcrdma.protocol.rpcbind.Rpcb;
import dev.rpcrdma.protocol.rpcbind.UniversalAddress;
import dev.rpcrdma.testkit.FreePort;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.lab.DebianTools;
import dev.rpcrdma.testkit.lab.NeedsTools;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fails if {@code InfoCommand} leaves a column out, or lets what is registered command a terminal. */
class InfoCommandTest {

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1, 127.0.0.1", "::1, [::1]"})
  @DisplayName("R-180, R-181: info lists programs with their names, versions, netids, addresses and owners")
  void lists(String host, String text) {
    RpcbindServer server = Waiting.await(RpcbindServer.listen(vertx, SocketAddress.inetSocketAddress(0, host)));
    Rpcbind rpcbind = Rpcbind.of(vertx, SocketAddress.inetSocketAddress(server.actualPort(), host),
        RpcbindOptions.DEFAULT);
    Waiting.await(rpcbind.register(new Rpcb(100003, 3, "rdma", "0.0.0.0.78.81", "root")));
    Waiting.await(rpcbind.register(new Rpcb(0x20060001, 1, "rdma6", "::.78.81", "\u001b[31m")));
    Commands commands = new Commands();
    int status = commands.run("info", text + ":" + server.actualPort());
    assertThat(status).as(commands.err()).isZero();
    assertThat(commands.out()).containsPattern("100003 +nfs +3 rdma +0\\.0\\.0\\.0\\.78\\.81 +root")
        .containsPattern("0x20060001 +- +1 rdma6 +::\\.78\\.81 +\\?\\[31m").containsPattern("100000 +portmapper +4 tcp")
        .contains("5 registrations, 2 of them for RDMA").doesNotContain("\u001b");
  }

  /** Fails if {@code InfoCommand} leaves a field out, or lets what is registered command a terminal by JSON. */
  @Test
  @DisplayName("R-180, R-181: info --json has the same, each registration as an object")
  void json() {
    RpcbindServer server = Waiting.await(RpcbindServer.listen(vertx, SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    Rpcbind rpcbind = Rpcbind.of(vertx, SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"),
        RpcbindOptions.DEFAULT);
    Waiting.await(rpcbind.register(new Rpcb(100003, 3, "rdma", "0.0.0.0.78.81", "root")));
    Waiting.await(rpcbind.register(new Rpcb(0xf0060001, 1, "rdma6", "::.78.81", "\u001b[31m\u009b\udb40\udc01")));
    Commands commands = new Commands();
    assertThat(commands.run("info", "--json", "127.0.0.1:" + server.actualPort())).as(commands.err()).isZero();
    assertThat(new JsonArray(commands.out())).hasSize(5).contains(
        new JsonObject().put("program", 100003).put("name", "nfs").put("version", 3).put("netid", "rdma")
            .put("address", "0.0.0.0.78.81").put("owner", "root"),
        new JsonObject().put("program", 0xf0060001L).put("version", 1).put("netid", "rdma6").put("address", "::.78.81")
            .put("owner", "\u001b[31m\u009b\udb40\udc01"));
    assertThat(commands.out()).doesNotContain("\u001b", "\u009b", "\udb40");
  }

  @Test
  @DisplayName("Where no rpcbind listens, one line says so")
  void nobody() {
    Commands commands = new Commands();
    assertThat(commands.run("info", "127.0.0.1:" + FreePort.find())).isOne();
    assertThat(commands.err()).startsWith("rpcrdma: No rpcbind at 127.0.0.1").hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource({"a, a, 111", "a:7, a, 7", "::1, ::1, 111", "[::1], ::1, 111", "[::1]:7, ::1, 7"})
  void hosts(String text, String host, int port) {
    assertThat(new RpcbindHost().convert(text)).isEqualTo(SocketAddress.inetSocketAddress(port, host));
  }

  /** Fails if {@code RpcbindResponder.refuse} names other versions than it answers. */
  @Test
  @NeedsTools(programs = "rpcinfo", packages = "rpcbind")
  @DisplayName("R-180: Debian's rpcinfo finds all versions of ours by a universal address")
  void debiansRpcinfo(@TempDir Path folder) throws Exception {
    RpcbindServer server = Waiting.await(RpcbindServer.listen(vertx, SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    String address = new UniversalAddress("127.0.0.1", server.actualPort()).toString();
    assertThat(DebianTools.run(folder, List.of("rpcinfo", "-a", address, "-T", "tcp", "100000")))
        .contains("version 2 ready", "version 3 ready", "version 4 ready");
  }
}
