// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.examples.nfs3.mount.MountLimits;
import dev.rpcrdma.examples.nfs3.mount.MountServer;
import dev.rpcrdma.examples.nfs3.tree.FileTree;
import dev.rpcrdma.examples.nfs3.tree.TreeOptions;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.tools.command.NfsSecurity;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who takes much of MOUNT leaves enough for others. */
@Timeout(60)
class MountLimitsTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir
  private Path export;
  private final Vertx vertx = Vertx.vertx();
  private final List<MountClient> clients = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (MountClient client : clients) {
      client.close();
    }
    Waiting.await(vertx.close());
  }

  private MountServer serve(MountLimits limits) throws IOException {
    return Waiting.await(MountServer.listen(vertx, vertx.createSharedWorkerExecutor("mounts", 2),
        FileTree.of(export, TreeOptions.DEFAULT), Set.of(NfsSecurity.SYS),
        SocketAddress.inetSocketAddress(0, "127.0.0.1"), limits));
  }

  private MountClient connect(String from, MountServer server) throws IOException {
    MountClient client = new MountClient(from, server.port());
    clients.add(client);
    return client;
  }

  /** Whether a client is served, which it is not if it was refused. */
  private static boolean served(MountClient client) {
    try {
      client.call(0, XdrEncoder.VOID);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void silentConnectionsAreEnded() throws IOException {
    MountServer server = serve(new MountLimits(Duration.ofMillis(50), 4, 4));
    assertThat(connect("127.0.0.1", server).ended()).isTrue();
    MountClient slow = connect("127.0.0.1", server);
    slow.send(new byte[] {(byte) 0x80, 0, 0});
    assertThat(slow.ended()).isTrue();
  }

  @Test
  void oneAddressCannotLockOthersOut() throws IOException {
    MountServer server = serve(new MountLimits(LONG, 4, 2));
    MountClient first = connect("127.0.0.1", server);
    assertThat(served(first)).isTrue();
    assertThat(served(connect("127.0.0.1", server))).isTrue();
    assertThat(served(connect("127.0.0.1", server))).isFalse();
    assertThat(served(connect("127.0.0.2", server))).isTrue();
    assertThat(served(connect("127.0.0.3", server))).isTrue();
    assertThat(served(connect("127.0.0.4", server))).as("four are all").isFalse();
    first.close();
    // The server is told of it some time later.
    while (!served(connect("127.0.0.1", server))) {
      Thread.onSpinWait();
    }
    assertThat(served(connect("127.0.0.1", server))).isFalse();
  }

  @Test
  void dumpTellsDirectoriesAndNotWhatClientsCallThem() throws IOException {
    Files.createDirectories(export.resolve("a/b"));
    MountClient client = connect("127.0.0.1", serve(MountLimits.DEFAULT));
    for (String path : new String[] {"/a/b", "a//b/", "/./a/./b", export.toRealPath() + "/a/b"}) {
      client.mount(path);
    }
    XdrReader dump = client.call(2, XdrEncoder.VOID);
    assertThat(dump.bool()).isTrue();
    dump.string(255);
    assertThat(dump.string(1024)).isEqualTo("/a/b");
    assertThat(dump.bool()).isFalse();
    client.call(3, writer -> writer.string("//a/b/."));
    assertThat(client.call(2, XdrEncoder.VOID).bool()).isFalse();
  }

  @Test
  void dumpHasABound() throws IOException {
    MountClient client = connect("127.0.0.1", serve(MountLimits.DEFAULT));
    String directory = "x".repeat(200);
    for (int i = 0; i < 300; i++) {
      Files.createDirectory(export.resolve(directory + i));
      client.mount("/" + directory + i);
      // Old ones make room; what is there already takes none.
      client.mount("/" + directory + i);
    }
    XdrReader dump = client.call(2, XdrEncoder.VOID);
    assertThat(dump.remaining()).isBetween(30 << 10, 32 << 10);
    String last = "";
    while (dump.bool()) {
      dump.string(255);
      last = dump.string(1024);
    }
    dump.end();
    assertThat(last).isEqualTo("/" + directory + 299);
    client.call(4, XdrEncoder.VOID);
    client.mount("/" + directory + 7);
    assertThat(client.call(2, XdrEncoder.VOID).remaining()).isEqualTo(4 + 4 + 12 + 4 + 204 + 4);
  }

  @Test
  void limitsArePositive() {
    assertThatThrownBy(() -> new MountLimits(Duration.ZERO, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new MountLimits(LONG, 0, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new MountLimits(LONG, 1, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
