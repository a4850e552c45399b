// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.ConnectionSnapshot;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.fixture.Nfs3;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Calls to Linux's NFS server over a device of the lab's VM, where these tests run: the server's files are in its
 * folder {@code /export}.
 */
public final class NfsOnDevice {

  private static final Path EXPORT = Path.of("/export");
  private static final int PORT = 20049;
  private static final int MEGABYTE = 1 << 20;

  private final String device = System.getProperty("rpcrdma.device");
  private final Vertx vertx = Vertx.vertx();
  private RpcClient client;
  private RpcChannel channel;

  @BeforeEach
  void open() {
    client = RpcClient.builder(vertx).with(new RpcClientOptions().setProvider("ibverbs")
        .setProviderOptions(new JsonObject().put("device", device))).build();
    channel = client.channel(SocketAddress.inetSocketAddress(PORT, System.getProperty("rpcrdma.host")));
  }

  @AfterEach
  void close() {
    assertThat(snapshot().memory().exposures()).isZero();
    Waiting.await(client.close());
    Waiting.await(vertx.close());
  }

  private ConnectionSnapshot snapshot() {
    return Waiting.await(channel.connect().compose(RpcConnection::snapshot));
  }

  private <T> T call(RpcRequest<T> request) {
    return Waiting.await(channel.call(request));
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  @Test
  @DisplayName("A tree of files goes out by Read chunks, and comes back by Write chunks")
  void tree() throws IOException {
    Map<String, byte[]> tree = new TreeMap<>();
    for (int size : new int[] {0, 1, 13, 995, 4_099, 65_537, 262_141, MEGABYTE - 1, MEGABYTE}) {
      tree.put(device + "-" + size, random(size));
    }
    for (Map.Entry<String, byte[]> file : tree.entrySet()) {
      byte[] handle = call(Nfs3.create(file.getKey()));
      assertThat(call(Nfs3.write(handle, file.getValue()))).isEqualTo(file.getValue().length);
      assertThat(Files.readAllBytes(EXPORT.resolve(file.getKey()))).isEqualTo(file.getValue());
    }
    for (Map.Entry<String, byte[]> file : tree.entrySet()) {
      byte[] handle = call(Nfs3.lookUp(file.getKey()));
      assertThat(call(Nfs3.read(handle, file.getValue().length))).isEqualTo(file.getValue());
    }
    assertThat(snapshot().messages().readChunks()).isPositive();
    assertThat(snapshot().messages().writeChunks()).isPositive();
  }

  @Test
  @DisplayName("A folder of many names comes in a Reply chunk")
  void replyChunk() throws IOException {
    Path folder = Files.createDirectory(EXPORT.resolve(device + "-many"));
    List<String> names = IntStream.range(100, 500).mapToObj(i -> "a-name-of-some-length-" + i).toList();
    for (String name : names) {
      Files.createFile(folder.resolve(name));
    }
    assertThat(call(Nfs3.readDirectory(call(Nfs3.lookUp(device + "-many"))))).containsAll(names).hasSize(402);
    assertThat(snapshot().messages().replyChunks()).isEqualTo(1);
  }

  @Test
  @DisplayName("Many calls at once take turns by the server's credits")
  void credits() {
    IntStream.range(0, 500).mapToObj(i -> channel.call(Nfs3.nothing())).toList().forEach(Waiting::await);
    assertThat(snapshot().calls().creditsGranted()).isEqualTo(64);
  }
}
