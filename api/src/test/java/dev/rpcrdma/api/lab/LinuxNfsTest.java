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
import dev.rpcrdma.testkit.Recording;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.lab.LabVm;
import dev.rpcrdma.testkit.lab.SiwVariant;
import dev.rpcrdma.testkit.lab.SmokeOn61;
import dev.rpcrdma.testkit.lab.SmokeOn612;
import dev.rpcrdma.testkit.lab.Tshark;
import dev.rpcrdma.testkit.lab.WithLab;
import dev.rpcrdma.verbs.capture.DecodedUnit;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls of our client to the NFS server of a Linux kernel, over its iWARP and its RPC-over-RDMA:
 * inline, and with each kind of chunk.
 */
@WithLab
@DisplayName("Linux's NFS server")
final class LinuxNfsTest {

  private static final int PORT = 20049;
  private static final int MEGABYTE = 1 << 20;
  /** What kernels newer than those of the lab transfer in one call. */
  private static final int WANTED = 4 << 20;

  @ParameterizedTest(name = "CRC {0}")
  @ValueSource(booleans = {true, false})
  @DisplayName("answers NULL, as many at once as it likes, and grants its 64 credits")
  void nulls(boolean crc, LabVm vm) {
    withServer(vm, crc, channel -> {
      List<Future<Void>> calls = IntStream.range(0, 500)
          .mapToObj(i -> channel.call(Nfs3.nothing())).toList();
      calls.forEach(Waiting::await);
      ConnectionSnapshot snapshot = snapshot(channel);
      assertThat(snapshot.calls().creditsGranted()).isEqualTo(64);
      assertThat(snapshot.calls().sent()).isEqualTo(500);
    });
  }

  @ParameterizedTest(name = "CRC {0}")
  @ValueSource(booleans = {true, false})
  @SmokeOn61
  @SmokeOn612
  @DisplayName("pulls Read chunks, and fills Write chunks and Reply chunks")
  void chunks(boolean crc, LabVm vm) {
    byte[] bytes = new byte[MEGABYTE];
    new Random(crc ? 1 : 2).nextBytes(bytes);
    String name = "written-" + crc;
    withServer(vm, crc, channel -> {
      byte[] file = call(channel, Nfs3.create(name));
      assertThat(call(channel, Nfs3.write(file, bytes))).isEqualTo(bytes.length);
      assertThat(snapshot(channel).messages().readChunks()).isEqualTo(1);
      assertThat(vm.exec("sha256sum </export/" + name).output()).startsWith(sha256(bytes));

      assertThat(call(channel, Nfs3.read(file, bytes.length))).isEqualTo(bytes);
      assertThat(snapshot(channel).messages().writeChunks()).isEqualTo(1);

      vm.exec("mkdir -p /export/many; cd /export/many; touch a-name-of-some-length-{100..499}")
          .expectSuccess();
      List<String> names = call(channel, Nfs3.readDirectory(call(channel, Nfs3.lookUp("many"))));
      assertThat(names).hasSize(402).contains(".", "..", "a-name-of-some-length-100",
          "a-name-of-some-length-499");
      assertThat(snapshot(channel).messages().replyChunks()).isEqualTo(1);
      assertThat(snapshot(channel).memory().exposures()).isZero();
    });
  }

  @Test
  @DisplayName("takes and gives data of all sizes, odd ones and those around every limit")
  void sizes(LabVm vm) {
    withServer(vm, false, channel -> {
      assertThat(call(channel, Nfs3.limits()).read()).isGreaterThanOrEqualTo(MEGABYTE);
      for (int size : new int[] {1, 12, 13, 995, 3_997, 4_096, 4_099, 65_536, 65_537, 262_141,
          MEGABYTE - 1, MEGABYTE}) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        byte[] file = call(channel, Nfs3.create("size-" + size));
        assertThat(call(channel, Nfs3.write(file, bytes))).isEqualTo(size);
        assertThat(call(channel, Nfs3.size(file))).isEqualTo(size);
        assertThat(call(channel, Nfs3.lookUp("size-" + size))).isEqualTo(file);
        assertThat(call(channel, Nfs3.read(file, size))).isEqualTo(bytes);
        assertThat(vm.exec("sha256sum </export/size-" + size).output())
            .startsWith(sha256(bytes));
      }
    });
  }

  @ParameterizedTest(name = "a limit of {0} calls at once")
  @ValueSource(ints = {64, 128})
  @DisplayName("is asked for 128 credits, and grants as many as it is set to")
  void grants(int limit, LabVm vm) {
    vm.siw(SiwVariant.PLAIN);
    vm.nfsServer();
    try {
      setGrant(vm, limit);
      withServer(vm, new RpcClientOptions().setForwardCredits(128), channel -> {
        List<Future<Void>> calls = IntStream.range(0, 500)
            .mapToObj(i -> channel.call(Nfs3.nothing())).toList();
        calls.forEach(Waiting::await);
        assertThat(snapshot(channel).calls().creditsGranted()).isEqualTo(limit);
        assertThat(snapshot(channel).calls().sent()).isEqualTo(500);
      });
    } finally {
      setGrant(vm, 64);
    }
  }

  /** Of connections that are made from now on. */
  private static void setGrant(LabVm vm, int credits) {
    vm.exec("echo " + credits + " >/proc/sys/sunrpc/svc_rdma/max_requests").expectSuccess();
  }

  @ParameterizedTest(name = "CRC {0}")
  @ValueSource(booleans = {true, false})
  @DisplayName("takes and gives in one call as much as its kernel can, of 4 MiB")
  void largest(boolean crc, LabVm vm) {
    withServer(vm, crc, channel -> {
      Nfs3.Limits limits = call(channel, Nfs3.limits());
      int most = vm.kernel().largestTransfer();
      System.out.println("Linux " + vm.kernel().series() + " serves READ of up to "
          + limits.read() + " bytes and WRITE of up to " + limits.write()
          + (most < WANTED ? ": 4 MiB in one call are more than it can" : ""));
      assertThat(limits).isEqualTo(new Nfs3.Limits(most, most));
      byte[] bytes = new byte[Math.min(most, WANTED)];
      new Random(crc ? 3 : 4).nextBytes(bytes);
      byte[] file = call(channel, Nfs3.create("largest-" + crc));
      assertThat(call(channel, Nfs3.write(file, bytes))).isEqualTo(bytes.length);
      assertThat(call(channel, Nfs3.read(file, bytes.length))).isEqualTo(bytes);
      ConnectionSnapshot snapshot = snapshot(channel);
      assertThat(snapshot.messages().readChunks()).isEqualTo(1);
      assertThat(snapshot.messages().writeChunks()).isEqualTo(1);
      assertThat(snapshot.memory().exposures()).isZero();
    });
  }

  @ParameterizedTest(name = "CRC {0}")
  @ValueSource(booleans = {true, false})
  @DisplayName("pulls a call that is too long for a message")
  void longCall(boolean crc, LabVm vm) {
    String target = "x".repeat(4000);
    String name = "link-" + crc;
    withServer(vm, crc, channel -> {
      call(channel, Nfs3.symbolicLink(name, target));
      assertThat(snapshot(channel).messages().positionZeroChunks()).isEqualTo(1);
      assertThat(vm.exec("readlink /export/" + name).output()).isEqualTo(target + "\n");
    });
  }

  @ParameterizedTest(name = "{0} bytes")
  @ValueSource(ints = {3_997, 3_998, 3_999, 4_000, 4_095})
  @DisplayName("R-062 R-064 C-13: pulls the path of SYMLINK by a Read chunk, padded or not")
  void pathByChunk(int length, LabVm vm) {
    String target = "a/path-".repeat(length).substring(0, length);
    String name = "link-by-chunk-" + length;
    withServer(vm, true, channel -> {
      call(channel, Nfs3.symbolicLinkByChunk(name, target));
      assertThat(snapshot(channel).messages().readChunks()).isEqualTo(1);
      assertThat(snapshot(channel).messages().positionZeroChunks()).isZero();
      assertThat(snapshot(channel).memory().exposures()).isZero();
      assertThat(vm.exec("readlink /export/" + name).output()).isEqualTo(target + "\n");
    });
  }

  @Test
  @DisplayName("RFC 8797 §4.1: invalidates the tag of a call that has one, with each of its replies")
  void remoteInvalidation(@TempDir Path directory, LabVm vm) {
    Path capture = directory.resolve("calls.pcapng");
    byte[] bytes = new byte[65_536];
    new Random(8797).nextBytes(bytes);
    withServer(vm, new RpcClientOptions().setCapture(capture.toString()), channel -> {
      byte[] file = call(channel, Nfs3.create("invalidated"));
      for (int i = 0; i < 10; i++) {
        call(channel, Nfs3.nothing());
        // A Read chunk, a Write chunk, a Read chunk at Position zero.
        call(channel, Nfs3.write(file, bytes));
        assertThat(call(channel, Nfs3.read(file, bytes.length))).isEqualTo(bytes);
        call(channel, Nfs3.symbolicLink("invalidated-" + i, "x".repeat(4000)));
      }
      assertThat(snapshot(channel).memory().exposures()).isZero();
      // It does not offer for itself what it does to us: our replies to it have to be plain.
      assertThat(snapshot(channel).agreed().remoteInvalidation()).isFalse();
    });
    assertThat(Recording.of(capture)).filteredOn(unit -> !unit.fromOpener()
        && unit.kind() == DecodedUnit.Kind.SEGMENT && unit.text().contains("invalidates"))
        .hasSize(30);
    Tshark.judge(capture);
  }

  private static <T> T call(RpcChannel channel, RpcRequest<T> request) {
    return Waiting.await(channel.call(request));
  }

  private static ConnectionSnapshot snapshot(RpcChannel channel) {
    return Waiting.await(channel.connect().compose(RpcConnection::snapshot));
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static void withServer(LabVm vm, boolean crc, Consumer<RpcChannel> calls) {
    withServer(vm, new RpcClientOptions().setProviderOptions(new JsonObject().put("crc", crc))
        .setForwardCredits(100), calls);
  }

  private static void withServer(LabVm vm, RpcClientOptions options, Consumer<RpcChannel> calls) {
    vm.siw(SiwVariant.PLAIN);
    vm.nfsServer();
    Vertx vertx = Vertx.vertx();
    try {
      RpcClient client = RpcClient.builder(vertx).with(options.setProvider("siw")).build();
      calls.accept(client.channel(SocketAddress.inetSocketAddress(vm.forward(PORT), "127.0.0.1")));
      Waiting.await(client.close());
    } finally {
      Waiting.await(vertx.close());
    }
  }
}
