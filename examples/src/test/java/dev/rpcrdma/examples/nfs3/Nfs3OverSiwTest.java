// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.ConnectionSnapshot;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.examples.nfs3.NfsRequests.Page;
import dev.rpcrdma.examples.nfs3.program.NfsBinding;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server and our own client, over siw. */
@Timeout(60)
@Tag("large")
class Nfs3OverSiwTest {

  private static final int MEGABYTE = 1 << 20;
  /** What one READ or WRITE brings at most. */
  private static final int MOST = 4 << 20;

  @TempDir
  private Path export;
  private Nfs3Bed bed;

  @BeforeEach
  void open() {
    bed = new Nfs3Bed(export);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private ConnectionSnapshot snapshot() {
    return Waiting.await(bed.channel.connect().compose(RpcConnection::snapshot));
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  @Test
  @DisplayName("RFC 8267 §4: READ and WRITE of every size, in the message and in chunks")
  void data() throws IOException {
    for (int length : new int[] {1, 2, 3, 4, 100, 3900, 4096, 5001, 65_536, MEGABYTE - 1,
        MEGABYTE, MOST}) {
      byte[] bytes = random(length);
      byte[] file = bed.call(NfsRequests.create(bed.root, "file-" + length)).get();
      assertThat(bed.call(NfsRequests.write(file, 0, DataItem.of(bytes), 2)).get())
          .isEqualTo(length);
      assertThat(export.resolve("file-" + length)).hasBinaryContent(bytes);
      assertThat(bed.call(NfsRequests.read(file, 0, length)).get()).isEqualTo(bytes);
      assertThat(bed.call(NfsRequests.read(file, length / 2, MOST)).get())
          .hasSize(length - length / 2);
    }
    assertThat(snapshot().messages().readChunks()).isPositive();
    assertThat(snapshot().messages().writeChunks()).isPositive();
    assertThat(snapshot().memory().exposures()).isZero();
    byte[] file = bed.call(NfsRequests.create(bed.root, "empty")).get();
    assertThat(bed.call(NfsRequests.write(file, 0, DataItem.of(new byte[0]), 0)).get()).isZero();
    assertThat(bed.call(NfsRequests.read(file, 0, 100)).get()).isEmpty();
  }

  @Test
  @DisplayName("what one client has read is not in what another one reads")
  void memoryIsNotTold() {
    byte[] secret = bed.call(NfsRequests.create(bed.root, "secret")).get();
    bed.call(NfsRequests.write(secret, 0, DataItem.of(random(MEGABYTE)), 0));
    byte[] small = bed.call(NfsRequests.create(bed.root, "small")).get();
    bed.call(NfsRequests.write(small, 0, DataItem.of(new byte[] {1, 2, 3}), 0));
    Payload target = Payload.copyOf(bed.vertx, Buffer.buffer(new byte[MEGABYTE]));
    bed.call(NfsRequests.read(secret, 0, MEGABYTE));
    bed.call(RpcRequest.to(NfsBinding.BINDING, 6)
        .arguments(w -> w.opaque(small).int64(0).int32(MEGABYTE)).placedResult(target).build());
    assertThat(target.toBuffer().getBytes()).startsWith(1, 2, 3)
        .endsWith(new byte[MEGABYTE - 3]);
    target.release();
  }

  @Test
  @DisplayName("RFC 8267 §4: long paths of SYMLINK and READLINK, in Read, Write and Reply chunks")
  void paths() {
    String target = "x".repeat(4000);
    byte[] link = bed.call(NfsRequests.makeLink(bed.root, "link", target)).get();
    assertThat(bed.call(NfsRequests.readLink(link, true)).get()).isEqualTo(target);
    assertThat(bed.call(NfsRequests.readLink(link, false)).get()).isEqualTo(target);
    assertThat(snapshot().messages().replyChunks()).isEqualTo(1);
    assertThat(bed.call(NfsRequests.attributes(link)).get().type()).isEqualTo(5);
  }

  @Test
  @DisplayName("RFC 8267 §4.1: a listing fits into the room that was made for it")
  void listings() throws IOException {
    byte[] many = bed.call(NfsRequests.makeDirectory(bed.root, "many")).get();
    Set<String> expected = new HashSet<>(Set.of(".", ".."));
    for (int i = 0; i < 1000; i++) {
      expected.add(Files.createFile(export.resolve("many/" + "n".repeat(i % 200) + i))
          .getFileName().toString());
    }
    for (int room : new int[] {512, 700, 4096, 32_768, MEGABYTE}) {
      List<String> names = new ArrayList<>();
      List<String> namesPlus = new ArrayList<>();
      long cookie = 0;
      for (Page page = null; page == null || !page.end(); ) {
        page = bed.call(NfsRequests.list(many, cookie, room)).get();
        assertThat(page.length()).isLessThanOrEqualTo(room);
        names.addAll(page.cookies().keySet());
        cookie = page.cookies().values().stream().reduce(cookie, (a, b) -> b);
      }
      cookie = 0;
      for (Page page = null; page == null || !page.end(); ) {
        page = bed.call(NfsRequests.listPlus(many, cookie, room / 4, room)).get();
        assertThat(page.length()).isLessThanOrEqualTo(room);
        namesPlus.addAll(page.cookies().keySet());
        cookie = page.cookies().values().stream().reduce(cookie, (a, b) -> b);
      }
      assertThat(names).hasSize(1002).containsExactlyInAnyOrderElementsOf(expected);
      assertThat(namesPlus).isEqualTo(names);
    }
    assertThat(bed.call(NfsRequests.list(many, 0, 100)).status()).isEqualTo(10005);
    assertThat(bed.call(NfsRequests.listPlus(many, 0, 512, 100)).status()).isEqualTo(10005);
    // Both dots, each of 28 bytes without attributes and handle.
    assertThat(bed.call(NfsRequests.listPlus(many, 0, 56, 4096)).get().cookies()).hasSize(2);
    assertThat(bed.call(NfsRequests.listPlus(many, 0, 55, 4096)).get().cookies()).hasSize(1);
    // Behind the last entry there is nothing but what stands around entries.
    assertThat(bed.call(NfsRequests.list(many, Long.MAX_VALUE, 103)).status()).isEqualTo(10005);
    assertThat(bed.call(NfsRequests.list(many, Long.MAX_VALUE, 104)).get().end()).isTrue();
    assertThat(bed.call(NfsRequests.listPlus(many, Long.MAX_VALUE, 8, 103)).status()).isEqualTo(10005);
  }

  @Test
  @DisplayName("many calls at once, of one file and of several")
  void atOnce() throws IOException {
    byte[] file = bed.call(NfsRequests.create(bed.root, "file")).get();
    byte[] bytes = random(3_000_000);
    Waiting.await(Future.all(IntStream.range(0, 300).mapToObj(i -> bed.channel.call(
        NfsRequests.write(file, i * 10_000L,
            DataItem.of(Arrays.copyOfRange(bytes, i * 10_000, (i + 1) * 10_000)), 0)))
        .toList()));
    assertThat(export.resolve("file")).hasBinaryContent(bytes);
    Waiting.await(Future.all(IntStream.range(0, 200).mapToObj(i -> bed.channel.call(
        NfsRequests.create(bed.root, "f" + i))).toList()));
    assertThat(export.toFile().list()).hasSize(201);
  }

  @Test
  @DisplayName("every procedure answers GARBAGE_ARGS to what is cut short, or too long")
  void badArguments() {
    for (int procedure = 1; procedure <= 21; procedure++) {
      for (XdrEncoder arguments : List.<XdrEncoder>of(w -> {}, w -> w.int32(64),
          w -> w.int32(-1), w -> w.opaque(new byte[65]), w -> w.int32(24).int64(1),
          w -> w.opaque(bed.root).fixedOpaque(new byte[200]).int32(77))) {
        assertThat(Waiting.awaitFailure(bed.channel.call(NfsRequests.status(procedure,
            arguments)))).as("procedure %d", procedure)
            .isInstanceOfSatisfying(RpcRejectedException.class, e ->
                assertThat(e.acceptStatus()).contains(AcceptStatus.GARBAGE_ARGS));
      }
    }
    assertThat(bed.call(NfsRequests.attributes(bed.root)).get().type()).isEqualTo(2);
  }

  @Test
  @DisplayName("every procedure says of a bad handle that it is bad, and of what is gone that it is stale")
  void badHandles() {
    byte[] bad = new byte[24];
    byte[] gone = bed.call(NfsRequests.makeDirectory(bed.root, "gone")).get();
    assertThat(bed.call(NfsRequests.status(13, w -> w.opaque(bed.root).string("gone")))).isZero();
    XdrEncoder none = w -> {};
    List<XdrEncoder> rest = List.of(none, w -> w.fixedOpaque(new byte[28]), w -> w.string("x"),
        w -> w.int32(0), none, w -> w.int64(0).int32(0), w -> w.int64(0).int32(0).int32(0).int32(0),
        w -> w.string("x").int32(0).fixedOpaque(new byte[24]),
        w -> w.string("x").fixedOpaque(new byte[24]),
        w -> w.string("x").fixedOpaque(new byte[24]).string("y"),
        w -> w.string("x").int32(7).fixedOpaque(new byte[24]), w -> w.string("x"),
        w -> w.string("x"), w -> w.string("x").opaque(bed.root).string("y"),
        w -> w.opaque(bed.root).string("x"), w -> w.int64(0).int64(0).int32(1000),
        w -> w.int64(0).int64(0).int32(1000).int32(1000), none, none, none,
        w -> w.int64(0).int32(0));
    for (int procedure = 1; procedure <= 21; procedure++) {
      XdrEncoder arguments = rest.get(procedure - 1);
      assertThat(bed.call(NfsRequests.status(procedure, w -> {
        w.opaque(bad);
        arguments.encode(w);
      }))).as("procedure %d", procedure).isEqualTo(10001);
      assertThat(bed.call(NfsRequests.status(procedure, w -> {
        w.opaque(gone);
        arguments.encode(w);
      }))).as("procedure %d", procedure).isEqualTo(70);
    }
  }

  @Test
  @DisplayName("whatever becomes of a call, its memory returns to the pool")
  void nothingLeaks() {
    bed.close();
    // Client and server share it: a call or two of this size fit in, and never what 40 would leave.
    bed = new Nfs3Bed(export, new RpcServerOptions().setMaxPoolBytes(8 << 20));
    byte[] file = bed.call(NfsRequests.create(bed.root, "file")).get();
    byte[] bad = new byte[24];
    DataItem data = DataItem.of(random(MEGABYTE));
    for (int i = 0; i < 40; i++) {
      assertThat(bed.call(NfsRequests.write(file, 0, data, 0)).get()).isEqualTo(MEGABYTE);
      assertThat(bed.call(NfsRequests.read(file, 0, MEGABYTE)).get()).hasSize(MEGABYTE);
      assertThat(bed.call(NfsRequests.read(bad, 0, MEGABYTE)).status()).isEqualTo(10001);
      assertThat(bed.call(NfsRequests.write(bad, 0, data, 0)).status()).isEqualTo(10001);
      assertThat(bed.call(NfsRequests.write(file, -1, data, 0)).status()).isEqualTo(27);
      for (XdrEncoder garbage : List.<XdrEncoder>of(
          w -> w.opaque(file).int64(0).int32(MEGABYTE + 1).int32(0).dataItem(data),
          w -> w.opaque(file).int64(0).int32(MEGABYTE).int32(3).dataItem(data),
          w -> w.opaque(file).int64(0).int32(MEGABYTE).int32(0).dataItem(data).int32(0))) {
        assertThat(Waiting.awaitFailure(bed.channel.call(NfsRequests.status(7, garbage))))
            .isInstanceOf(RpcRejectedException.class);
      }
    }
    assertThat(snapshot().memory().exposures()).isZero();
  }

  @Test
  @DisplayName("a server that was started anew does not know the handles of the old one")
  void anew() {
    byte[] old = bed.root;
    bed.close();
    bed = new Nfs3Bed(export);
    assertThat(bed.call(NfsRequests.attributes(old)).status()).isEqualTo(70);
  }

  @Test
  @DisplayName("R-184: over iWARP the port of a program is a port of TCP")
  void portOfTcp() throws IOException {
    try (Socket socket = new Socket("127.0.0.1", bed.server.port())) {
      socket.setSoTimeout(10_000);
      // A startup frame (RFC 5044 §7.1.1): revision 1, no private data, markers and CRC as they come.
      socket.getOutputStream().write(("MPA ID Req Frame\0\1\0\0").getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().readNBytes(16)).asString().isEqualTo("MPA ID Rep Frame");
    }
  }
}
