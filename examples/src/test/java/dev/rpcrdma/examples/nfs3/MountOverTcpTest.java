// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.testkit.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** MOUNT, well used and badly. */
@Timeout(60)
class MountOverTcpTest {

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

  private int status(MountClient client, String path) throws IOException {
    return client.call(1, writer -> writer.string(path)).int32();
  }

  @Test
  @DisplayName("RFC 1813 §5.2.1: mounts the export and what is in it, and nothing else")
  void mounts() throws IOException {
    Files.createDirectories(export.resolve("a/b"));
    Files.createFile(export.resolve("file"));
    Files.createSymbolicLink(export.resolve("link"), export.resolve("a"));
    try (MountClient client = new MountClient(bed.server.mountPort())) {
      assertThat(client.mount("/")).isEqualTo(bed.root);
      assertThat(client.mount("")).isEqualTo(bed.root);
      assertThat(client.mount(export.toRealPath().toString())).isEqualTo(bed.root);
      byte[] inner = client.mount("/a/b/");
      assertThat(bed.call(NfsRequests.lookUp(bed.root, "a")).get())
          .isEqualTo(bed.call(NfsRequests.lookUp(inner, "..")).get());
      assertThat(status(client, "/none")).isEqualTo(2);
      assertThat(status(client, "/file")).isEqualTo(20);
      assertThat(status(client, "/file/x")).isEqualTo(20);
      assertThat(status(client, "/link")).isEqualTo(20);
      assertThat(status(client, "/..")).isEqualTo(13);
      assertThat(status(client, "/a/../..")).isEqualTo(13);
      assertThat(status(client, export.getParent().toString())).isEqualTo(2);
      assertThat(status(client, "/" + "x".repeat(300))).isEqualTo(63);
    }
  }

  @Test
  @DisplayName("RFC 1813 §5.2: DUMP, UMNT, UMNTALL and EXPORT")
  void lists() throws IOException {
    Files.createDirectory(export.resolve("a"));
    try (MountClient client = new MountClient(bed.server.mountPort())) {
      client.call(0, XdrEncoder.VOID).end();
      client.mount("/a");
      XdrReader dump = client.call(2, XdrEncoder.VOID);
      for (String path : new String[] {"/", "/a"}) {
        assertThat(dump.bool()).isTrue();
        assertThat(dump.string(255)).isEqualTo("127.0.0.1");
        assertThat(dump.string(1024)).isEqualTo(path);
      }
      assertThat(dump.bool()).isFalse();
      client.call(3, writer -> writer.string("/")).end();
      assertThat(client.call(2, XdrEncoder.VOID).remaining()).isEqualTo(4 + 16 + 8 + 4);
      client.call(4, XdrEncoder.VOID).end();
      assertThat(client.call(2, XdrEncoder.VOID).bool()).isFalse();
      XdrReader exports = client.call(5, XdrEncoder.VOID);
      assertThat(exports.bool()).isTrue();
      assertThat(exports.string(1024)).isEqualTo("/");
      assertThat(exports.bool()).isFalse();
      assertThat(exports.bool()).isFalse();
    }
  }

  @Test
  void answersWhatItDoesNotServe() throws IOException {
    try (MountClient client = new MountClient(bed.server.mountPort())) {
      client.send(client.record(100_099, 3, 0, XdrEncoder.VOID));
      client.send(client.record(MountClient.PROGRAM, 1, 0, XdrEncoder.VOID));
      client.send(client.record(MountClient.PROGRAM, 3, 6, XdrEncoder.VOID));
      client.send(client.record(MountClient.PROGRAM, 3, 1, XdrEncoder.VOID));
      client.send(client.record(MountClient.PROGRAM, 3, 2, writer -> writer.int32(1)));
      for (int status : new int[] {1, 2, 3, 4, 4}) {
        XdrReader reply = client.reply();
        reply.fixedOpaque(16);
        assertThat(reply.int32()).isEqualTo(status);
      }
      assertThat(client.mount("/")).isEqualTo(bed.root);
    }
  }

  @Test
  @DisplayName("B-140: who sends no calls is disconnected, and so is who takes the port for one of RDMA")
  void disconnectsWhoSendsNoCalls() throws IOException {
    byte[][] all = {
        {(byte) 0x80, 0, 0x10, 1},
        {0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff},
        {(byte) 0x80, 0, 0, 4, 0, 0, 0, 1},
        "GET / HTTP/1.1\r\n\r\n".getBytes(),
        "MPA ID Req Frame\0\2\0\0".getBytes(),
        rpcOverRdma()};
    for (byte[] bytes : all) {
      try (MountClient client = new MountClient(bed.server.mountPort())) {
        client.send(bytes);
        assertThat(client.ended()).isTrue();
      }
    }
  }

  /** A record with NULL of MOUNT in it, behind the header of a message over RDMA. */
  private static byte[] rpcOverRdma() {
    return ByteBuffer.allocate(4 + 28 + 40).putInt(0x80000044)
        .putInt(7).putInt(1).putInt(32).putInt(0).putInt(0).putInt(0).putInt(0)
        .putInt(7).putInt(0).putInt(2).putInt(MountClient.PROGRAM).putInt(3).array();
  }

  @Test
  void aPortThatIsTakenIsToldAndTheOtherOneGivenBack() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(Waiting.awaitFailure(Nfs3Server.start(bed.vertx, new Nfs3Options(export)
          .at("127.0.0.1", 0, taken.getLocalPort())))).hasMessageContaining("in use");
    }
    assertThat(Waiting.awaitFailure(Nfs3Server.start(bed.vertx,
        new Nfs3Options(export.resolve("none")).at("127.0.0.1", 0, 0))))
        .isInstanceOf(IOException.class);
  }
}
