package dev.rpcrdma.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.examples.blobs.BlobStore;
import dev.rpcrdma.examples.blobs.DirectoryBlobStore;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PingCommandTest {

  private final Commands commands = new Commands();
  private final Vertx vertx = Vertx.vertx();
  private RpcServer server;

  @BeforeEach
  void serve(@TempDir Path directory) throws Exception {
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
  void aProgramThatIsNotServed() {
    assertThat(ping("--program", "0x20060001", "--version", "9")).isEqualTo(1);
    assertThat(commands.err()).contains("serves versions 1 to 1").hasLineCount(1);
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
