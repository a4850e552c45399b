// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.rpcgen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.ServiceBinding;
import dev.rpcrdma.examples.blobs.BlobStore;
import dev.rpcrdma.examples.blobs.DirectoryBlobStore;
import dev.rpcrdma.protocol.oncrpc.AuthSys;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.lab.NeedsTools;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client in C, made by Debian's rpcgen of the text that the annotation processor writes for the demo's program. */
@NeedsTools(programs = {"rpcgen", "gcc"}, files = "/usr/include/tirpc/rpc/rpc.h",
    packages = "rpcsvc-proto libtirpc-dev gcc libc6-dev")
class CClientTest {

  /** That reach the service: not NULL, nor one without such a procedure, nor one whose arguments are refused. */
  private static final int CALLS = 14;

  private final Vertx vertx = Vertx.vertx();
  @TempDir
  private Path folder;
  private final List<OpaqueAuth> credentials = new CopyOnWriteArrayList<>();
  private RpcServer server;
  private RpcClient client;

  @AfterEach
  void close() {
    if (server != null) {
      Waiting.await(client.close());
      Waiting.await(server.close());
    }
    Waiting.await(vertx.close());
  }

  private RpcChannel serve() throws IOException {
    DirectoryBlobStore store = new DirectoryBlobStore(vertx, Files.createDirectory(folder.resolve("blobs")));
    store.offer("sparse", Files.write(folder.resolve("sparse"), sparse()));
    server = RpcServer.create(vertx).bind(BlobStore.class, watched(store));
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    client = RpcClient.create(vertx);
    return client.channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
  }

  /** Remembers who calls. */
  private BlobStore watched(BlobStore store) {
    return (BlobStore) Proxy.newProxyInstance(BlobStore.class.getClassLoader(), new Class<?>[] {BlobStore.class},
        (self, method, arguments) -> {
          credentials.add(RpcCall.current().credentials());
          return method.invoke(store, arguments);
        });
  }

  private Path compile(RpcGen tools) throws IOException, InterruptedException {
    tools.rpcgen(ServiceBinding.of(BlobStore.class).interfaceDefinition(), "blobstore");
    try (InputStream source = CClientTest.class.getResourceAsStream("client.c")) {
      Files.copy(source, folder.resolve("client.c"));
    }
    tools.gcc("client", "client.c", "blobstore_xdr.c", "blobstore_clnt.c");
    return folder.resolve("client");
  }

  @Test
  @DisplayName("Each procedure is called by C, with what XDR has for its types, and answered as in Java")
  void calls() throws Exception {
    RpcGen tools = new RpcGen(folder);
    Path program = compile(tools);
    RpcChannel channel = serve();
    String printed;
    try (RecordRelay relay = new RecordRelay(channel)) {
      printed = tools.run(program.toString(), Integer.toString(relay.port()));
    }
    assertThat(printed).isEqualTo(expected());
    assertThat(credentials).hasSize(CALLS).allSatisfy(credential ->
        assertThat(AuthSys.from(credential).machineName()).isEqualTo("machine"));
  }

  private static String expected() throws NoSuchAlgorithmException {
    return String.join("\n",
        "null",
        "put empty: 0, sum 00000000",
        "put odd: 5, sum " + sum(content(5)),
        "put Blätter: 3000, sum " + sum(content(3000)),
        "put large: 200001, sum " + sum(content(200_001)),
        "get odd: 5, sum " + sum(content(5)),
        "get large: 200001, sum " + sum(content(200_001)),
        "get: failure 404: No blob named none|",
        "read large: " + HexFormat.ofDelimiter(" ").formatHex(content(200_001), 199_998, 200_001),
        "read: failure 416: odd has 5 bytes: nothing at 1099511627776|",
        "read: RPC: Server can't decode arguments",
        "list : 5",
        "  Blätter 3000 " + digest(content(3000)),
        "  empty 0 " + digest(content(0)),
        "  large 200001 " + digest(content(200_001)),
        "  odd 5 " + digest(content(5)),
        "  sparse 20480 " + digest(sparse()),
        "differing: Blätter",
        "list nothing of that name: 0",
        "differing:",
        "readSparse sparse: 4096+4096 8192+4096(" + sum(Arrays.copyOfRange(sparse(), 8192, 12_288))
            + ") 12288+8192",
        "99: RPC: Procedure unavailable",
        "");
  }

  /** A block of data between holes. */
  private static byte[] sparse() {
    byte[] sparse = new byte[5 * 4096];
    Arrays.fill(sparse, 8192, 12_288, (byte) 1);
    return sparse;
  }

  /** What the client stores. */
  private static byte[] content(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 7 + i / 251);
    }
    return bytes;
  }

  /** What the client computes. */
  private static String sum(byte[] bytes) {
    int sum = 0;
    for (byte b : bytes) {
      sum = sum * 31 + (b & 0xff);
    }
    return String.format("%08x", sum);
  }

  private static String digest(byte[] bytes) throws NoSuchAlgorithmException {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 4);
  }
}
