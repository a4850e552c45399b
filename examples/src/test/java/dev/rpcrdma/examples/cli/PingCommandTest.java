// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.examples.blobs.BlobStore;
import dev.rpcrdma.examples.blobs.DirectoryBlobStore;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PingCommandTest {

  private final Commands commands = new Commands();
  private final Vertx vertx = Vertx.vertx();
  private RpcServer server;
  @TempDir
  private Path directory;

  @BeforeEach
  void serve() throws Exception {
    server = RpcServer.create(vertx)
        .bind(BlobStore.class, new DirectoryBlobStore(vertx, directory));
    Futures.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
  }

  @AfterEach
  void close() throws Exception {
    Futures.await(server.close());
    Futures.await(vertx.close());
  }

  private int ping(String... arguments) {
    String[] all = new String[arguments.length + 2];
    all[0] = "ping";
    all[1] = "127.0.0.1:" + server.actualPort();
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    return commands.run(all);
  }

  @Test
  void printsWhatWasAgreedAndEachTime() {
    assertThat(ping("--program", "0x20060001", "--count", "3")).isZero();
    assertThat(commands.err()).isEmpty();
    assertThat(commands.out()).containsPattern("inline, to it +4096 bytes")
        .containsPattern("credits granted +64").containsPattern("RDMA Reads .ORD. +16")
        .contains("NULL 1").contains("NULL 3").doesNotContain("NULL 4");
  }

  @Test
  @DisplayName("P-005, P-006, P-009, P-010: MPA and private data of our own server, line by line")
  void printsWhatMpaAndPrivateDataSaid() {
    assertThat(ping("--program", "0x20060001", "--count", "1")).isZero();
    assertThat(commands.out().lines().limit(11)).satisfiesExactly(
        line -> assertThat(line).startsWith("service              127.0.0.1:"),
        line -> assertThat(line)
            .isEqualTo("MPA                  revision 2, enhanced startup (RFC 6581)"),
        line -> assertThat(line)
            .isEqualTo("CRC                  on, this side asks and the peer confirms"),
        line -> assertThat(line).isEqualTo("markers sent         no, the peer does not ask"),
        line -> assertThat(line).isEqualTo("markers received     no, this side does not ask"),
        line -> assertThat(line).isEqualTo(
            "ready to receive     empty RDMA Write, nothing agreed (client and server)"),
        line -> assertThat(line).isEqualTo("IRD                  16, the peer's ORD is 16"),
        line -> assertThat(line).isEqualTo("ORD                  16, the peer's IRD is 16"),
        line -> assertThat(line).isEqualTo("private data         the peer has sent 52 bytes:"),
        line -> assertThat(line).isEqualTo("  RFC 8797           version 1, sends 4096 and "
            + "receives 4096 bytes inline, R set: its memory may be invalidated"),
        line -> assertThat(line).matches("  our own block      session [0-9a-f]{32}, 128 slots"));
  }

  @Test
  @DisplayName("P-005, P-011: without CRCs and peer to peer, as asked for")
  void printsOtherTerms() throws Exception {
    Futures.await(server.close());
    server = RpcServer.builder(vertx)
        .with(new RpcServerOptions().setProvider("siw").setInlineSize(8192)
            .setProviderOptions(new JsonObject().put("crc", false))).build()
        .bind(BlobStore.class, new DirectoryBlobStore(vertx, directory));
    Futures.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    assertThat(ping("--program", "0x20060001", "--provider", "siw", "--setting", "crc=false",
        "--setting", "peerToPeer=true")).isZero();
    assertThat(commands.out()).containsPattern("CRC +off, neither side asks")
        .containsPattern("ready to receive +empty RDMA Write, as agreed .peer to peer.")
        .containsPattern("RFC 8797 +version 1, sends 8192 and receives 8192 bytes inline, R set")
        .containsPattern("inline, to it +4096 bytes");
  }

  @Test
  void aProgramThatIsNotServed() {
    assertThat(ping("--program", "0x20060001", "--version", "9")).isEqualTo(1);
    assertThat(commands.err()).contains("serves version 1").hasLineCount(1);
    assertThat(ping("--program", "77")).isEqualTo(1);
    assertThat(commands.err()).contains("does not serve the program");
  }

  @Test
  void nobodyThere() throws Exception {
    Futures.await(server.close());
    String port = String.valueOf(server.actualPort());
    assertThat(port).isEqualTo("-1");
    assertThat(commands.run("ping", "127.0.0.1:1", "--program", "1")).isEqualTo(1);
    assertThat(commands.err()).contains("127.0.0.1:1").hasLineCount(1);
  }

  @Test
  void aWrongCommandLine() {
    assertThat(commands.run("ping", "nowhere", "--program", "1")).isEqualTo(2);
    assertThat(commands.run("ping", "[::1]:x", "--program", "1")).isEqualTo(2);
    assertThat(commands.run("ping", "host:1", "--program", "-1")).isEqualTo(2);
    assertThat(commands.err()).contains("not HOST:PORT").contains("not a number of 32 bits");
  }
}
