// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.SiwProvider;
import dev.rpcrdma.siw.stream.Fpdus;
import dev.rpcrdma.siw.wire.EnhancedBlock;
import dev.rpcrdma.siw.wire.MpaFrame;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.ConnectionRejectedException;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Servers that are plain sockets, against connect. */
@DisplayName("siw: raw servers")
final class RawServerTest {

  private static final byte[] REPLY = new MpaFrame(false, false, true, false, 2,
      Optional.of(EnhancedBlock.clientServer(16, 16)), new byte[0]).encode();

  private final VerbsBed bed = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT);
  private ServerSocket server;

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getByName(VerbsBed.HOST));
  }

  @AfterEach
  void close() throws IOException {
    server.close();
    bed.close();
  }

  private Future<?> connect(Duration timeout) {
    return bed.connect(SocketAddress.inetSocketAddress(server.getLocalPort(), VerbsBed.HOST),
        bed.client(), ConnectionOptions.DEFAULT.withTimeout(timeout));
  }

  private VerbsException answered(byte[] answer) throws IOException {
    Future<?> connected = connect(Duration.ofSeconds(10));
    try (Socket accepted = server.accept()) {
      accepted.getInputStream().readNBytes(RawPeer.REQUEST.length);
      accepted.getOutputStream().write(answer);
      accepted.shutdownOutput();
      return (VerbsException) Waiting.awaitFailure(connected);
    }
  }

  @Test
  @DisplayName("P-001: a server that is not iWARP fails the connect as such")
  void notIwarp() throws IOException {
    VerbsException failure =
        answered("HTTP/1.1 400 Bad Request\r\n".getBytes(StandardCharsets.US_ASCII));
    assertThat(failure.kind()).isEqualTo(Kind.PROTOCOL);
    assertThat(failure).hasMessageContaining("does not speak iWARP");
  }

  @Test
  @DisplayName("P-001: a Reply of a wrong revision, or without S")
  void wrongReplies() throws IOException {
    byte[] revision = REPLY.clone();
    revision[17] = 9;
    assertThat(answered(revision).kind()).isEqualTo(Kind.PROTOCOL);
    byte[] plain = new MpaFrame(false, false, true, false, 1, Optional.empty(), new byte[0])
        .encode();
    assertThat(answered(plain).kind()).isEqualTo(Kind.PROTOCOL);
  }

  @Test
  @DisplayName("P-002: until it has a Reply that is valid, a client sends its Request and nothing else")
  void nothingBeforeTheReply() throws IOException {
    byte[] invalid = REPLY.clone();
    invalid[17] = 9;
    Future<?> connected = connect(Duration.ofSeconds(10));
    try (Socket accepted = server.accept()) {
      accepted.setSoTimeout(10_000);
      byte[] request = accepted.getInputStream().readNBytes(RawPeer.REQUEST.length);
      accepted.getOutputStream().write(invalid);
      assertThat(accepted.getInputStream().readAllBytes()).isEmpty();
      assertThat(MpaFrame.privateDataLength(request)).isEqualTo(EnhancedBlock.BYTES);
      Waiting.awaitFailure(connected);
    }
  }

  @Test
  @DisplayName("P-004: a rejection")
  void rejected() throws IOException {
    byte[] rejection = REPLY.clone();
    rejection[16] |= 0x20;
    assertThat(answered(rejection)).isInstanceOf(ConnectionRejectedException.class);
  }

  @Test
  @DisplayName("P-009: a server that closes on the enhanced Request is asked again in revision 1")
  void fallbackToRevision1() throws IOException {
    try (VerbsBed falling = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT.withSettings(
        new JsonObject().put("fallbackToRevision1", true)))) {
      dev.rpcrdma.testkit.Peer client = falling.client();
      client.receive(1, 8);
      Future<?> connected = falling.connect(
          SocketAddress.inetSocketAddress(server.getLocalPort(), VerbsBed.HOST), client,
          ConnectionOptions.DEFAULT);
      try (Socket first = server.accept()) {
        first.getInputStream().readNBytes(RawPeer.REQUEST.length);
      }
      try (Socket second = server.accept()) {
        byte[] request = second.getInputStream().readNBytes(MpaFrame.HEADER_BYTES);
        assertThat(MpaFrame.parse(request, true).revision()).isEqualTo(1);
        assertThat(MpaFrame.parse(request, true).enhanced()).isEmpty();
        second.getOutputStream().write(new MpaFrame(false, false, true, false, 1,
            Optional.empty(), new byte[0]).encode());
        Waiting.await(connected);
        second.getOutputStream().write(Fpdus.send(1, (byte) 1));
        client.handler().completion(Opcode.RECEIVE);
      }
      client.awaitDisconnected();
    }
  }

  @Test
  @DisplayName("P-009: the second server that closes is the last, and without the setting the first")
  void noEndlessFallback() throws IOException {
    try (VerbsBed falling = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT.withSettings(
        new JsonObject().put("fallbackToRevision1", true)))) {
      Future<?> connected = falling.connect(
          SocketAddress.inetSocketAddress(server.getLocalPort(), VerbsBed.HOST),
          falling.client(), ConnectionOptions.DEFAULT);
      server.accept().close();
      server.accept().close();
      assertThat(((VerbsException) Waiting.awaitFailure(connected)).kind())
          .isEqualTo(Kind.DISCONNECTED);
    }
    assertThat(answered(new byte[0]).kind()).isEqualTo(Kind.DISCONNECTED);
  }

  @Test
  @DisplayName("B-006: a server that closes after each byte of its Reply")
  void closesInReply() throws IOException {
    for (int cut = 0; cut < REPLY.length; cut++) {
      assertThat(answered(Arrays.copyOf(REPLY, cut)).kind()).isEqualTo(Kind.DISCONNECTED);
    }
  }

  @Test
  @DisplayName("B-008: a silent server, and one that stops within its Reply")
  void silent() throws IOException {
    for (int length : new int[] {0, 7, 20}) {
      Future<?> connected = connect(Duration.ofMillis(150));
      try (Socket accepted = server.accept()) {
        accepted.getOutputStream().write(REPLY, 0, length);
        accepted.getOutputStream().flush();
        VerbsException failure = (VerbsException) Waiting.awaitFailure(connected);
        assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
        assertThat(failure).hasMessageContaining("MPA");
      }
    }
  }

  @Test
  @DisplayName("B-009: Reply and first FPDU in one TCP segment")
  void replyAndFpduTogether() throws IOException {
    dev.rpcrdma.testkit.Peer client = bed.client();
    client.receive(1, 8);
    Future<?> connected = bed.connect(
        SocketAddress.inetSocketAddress(server.getLocalPort(), VerbsBed.HOST), client,
        ConnectionOptions.DEFAULT);
    try (Socket accepted = server.accept()) {
      accepted.getInputStream().readNBytes(RawPeer.REQUEST.length);
      accepted.getOutputStream().write(Fpdus.concat(REPLY,
          Fpdus.send(1, (byte) 1, (byte) 2)));
      Waiting.await(connected);
      assertThat(client.handler().completion(Opcode.RECEIVE)
          .byteLength()).isEqualTo(2);
    }
    client.awaitDisconnected();
  }
}
