// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.examples.blobs.BlobStore;
import dev.rpcrdma.examples.blobs.DirectoryBlobStore;
import dev.rpcrdma.tools.cli.Commands;
import dev.rpcrdma.tools.command.Futures;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;
import java.util.List;
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

  /** Fails if {@code PingJson} leaves a fact out that {@code PingReport} prints. */
  @Test
  @DisplayName("The same facts as JSON, on stdout alone")
  void json() {
    assertThat(ping("--program", "0x20060001", "--count", "3", "--json")).isZero();
    assertThat(commands.err()).isEmpty();
    JsonObject json = new JsonObject(commands.out());
    assertThat(json.getString("service")).isEqualTo("127.0.0.1:" + server.actualPort());
    assertThat(json.getJsonObject("transport").getMap()).containsOnlyKeys("MPA", "CRC", "markers sent",
        "markers received", "ready to receive", "IRD", "ORD");
    JsonObject privateData = json.getJsonObject("privateData");
    assertThat(privateData.getInteger("length")).isEqualTo(52);
    assertThat(privateData.getJsonObject("rfc8797")).isEqualTo(new JsonObject().put("version", 1)
        .put("sendSize", 4096).put("receiveSize", 4096).put("remoteInvalidation", true));
    assertThat(privateData.getJsonObject("session").getString("id")).matches("[0-9a-f]{32}");
    assertThat(privateData.getJsonObject("session").getInteger("slots")).isEqualTo(128);
    assertThat(json.getInteger("outboundInline")).isEqualTo(4096);
    assertThat(json.getInteger("inboundInline")).isEqualTo(4096);
    assertThat(json.getInteger("outboundReads")).isEqualTo(16);
    assertThat(json.getBoolean("remoteInvalidation")).isTrue();
    assertThat(json.getInteger("creditsGranted")).isEqualTo(64);
    List<Double> sorted = json.getJsonArray("micros").stream().map(Double.class::cast).sorted().toList();
    assertThat(sorted).hasSize(3);
    assertThat(List.of(json.getDouble("leastMicros"), json.getDouble("medianMicros"), json.getDouble("mostMicros")))
        .isEqualTo(sorted);
    assertThat(json.containsKey("failure")).isFalse();
  }

  /** Fails if {@code PingCommand} prints nothing when a call fails, or ends as if it had not. */
  @Test
  @DisplayName("A call that fails is a finding: what was agreed is printed all the same, and the status is 1")
  void aFailureIsAFinding() {
    assertThat(ping("--program", "77", "--json")).isEqualTo(1);
    JsonObject json = new JsonObject(commands.out());
    assertThat(json.getInteger("creditsGranted")).isEqualTo(64);
    assertThat(json.getJsonArray("micros")).isEmpty();
    assertThat(commands.err()).isEqualTo("rpcrdma: " + json.getString("failure") + "\n")
        .contains("does not serve the program");
    Commands people = new Commands();
    assertThat(people.run("ping", "127.0.0.1:" + server.actualPort(), "--program", "77")).isEqualTo(1);
    assertThat(people.out()).containsPattern("credits granted +64\nNULL 1 +failed\n$");
  }

  @Test
  @DisplayName("Without a connection there is no JSON either")
  void nobodyThereForJson() {
    assertThat(commands.run("ping", "127.0.0.1:1", "--program", "1", "--json")).isEqualTo(1);
    assertThat(commands.out()).isEmpty();
    assertThat(commands.err()).contains("127.0.0.1:1").hasLineCount(1);
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

  /** Fails if {@code ProgramNumber} knows no names, or says of an unknown one that a number is wanted and no more. */
  @Test
  @DisplayName("A program may be told by the name that info prints")
  void programsByName() {
    assertThat(ping("--program", "nfs", "--version", "3")).isEqualTo(1);
    assertThat(commands.err()).contains("does not serve the program").contains("0x186a3");
    assertThat(ping("--program", "nsf")).isEqualTo(2);
    assertThat(commands.err()).contains("'nsf' is not a number of 32 bits, from 0 to 4294967295, nor a name that info"
        + " prints: portmapper, rstatd, ");
  }
}
