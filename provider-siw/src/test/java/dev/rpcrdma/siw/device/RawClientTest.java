// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.SiwProvider;
import dev.rpcrdma.siw.stream.Fpdus;
import dev.rpcrdma.siw.wire.DdpHeader;
import dev.rpcrdma.siw.wire.MpaFrame;
import dev.rpcrdma.siw.wire.RdmapOpcode;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.RecordingHandler.Disconnected;
import dev.rpcrdma.testkit.RecordingHandler.Event;
import dev.rpcrdma.testkit.RecordingHandler.Revoked;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients that are plain sockets, against a listener. */
@DisplayName("siw: raw clients")
@Tag("slow")
final class RawClientTest {

  /** A call of NULL as RPC over plain TCP has it, behind its record mark (RFC 5531 §11). */
  private static final byte[] RPC_OVER_TCP = ByteBuffer.allocate(44).putInt(0x80000028)
      .putInt(7).putInt(0).putInt(2).putInt(100003).putInt(3).array();

  private final VerbsBed bed = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT.withSettings(
      new JsonObject().put("startupTimeoutMillis", 4000).put("revokeTimeoutMillis", 300)
          .put("closeTimeoutMillis", 1000).put("maxPendingConnections", 3)));

  @AfterEach
  void close() {
    bed.close();
  }

  private VerbsListener accepting(Peer server) {
    return bed.listen(request -> bed.accept(request, server, ConnectionOptions.DEFAULT));
  }

  @Test
  @DisplayName("P-001, B-006, B-140: startup broken off at each byte, and in other ways, harms nobody")
  void brokenStartups() throws IOException {
    Peer server = bed.server();
    server.receive(1, 64);
    int[] requests = new int[1];
    VerbsListener listener = bed.listen(request -> {
      if (requests[0]++ == 0) {
        bed.accept(request, server, ConnectionOptions.DEFAULT);
      }
    });
    try (RawPeer good = RawPeer.connected(listener.localAddress())) {
      for (int cut = 0; cut < RawPeer.REQUEST.length; cut++) {
        try (RawPeer bad = new RawPeer(listener.localAddress())) {
          bad.write(Arrays.copyOf(RawPeer.REQUEST, cut));
          if (cut % 2 == 0) {
            bad.shutdownOutput();
            assertThat(bad.isClosed()).isTrue();
          } else {
            bad.reset();
          }
        }
      }
      for (byte[] bytes : new byte[][] {
          "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII), RPC_OVER_TCP, changed(17, 3),
          changed(17, 0), changed(18, 3),
          Fpdus.concat(RawPeer.REQUEST, Fpdus.send(1, (byte) 1))}) {
        try (RawPeer bad = new RawPeer(listener.localAddress())) {
          bad.write(bytes);
          assertThat(bad.isClosed()).isTrue();
        }
      }
      server.awaitEstablished();
      good.write(Fpdus.send(1, (byte) 9));
      assertThat(server.handler().completion(Opcode.RECEIVE).byteLength()).isEqualTo(1);
    }
    server.awaitDisconnected();
  }

  /** Fails if {@code PassiveSide.reject} leaves the end to the peer. */
  @Test
  @DisplayName("A client that is rejected and does not close is closed")
  void rejected() throws IOException {
    VerbsListener listener = bed.listen(request -> request.reject(Buffer.buffer()));
    try (RawPeer stays = new RawPeer(listener.localAddress())) {
      stays.write(RawPeer.REQUEST);
      assertThat(stays.readReply()).isNotNull();
      assertThat(stays.atEnd()).isTrue();
      // Its other half ends a moment later, which a socket learns by writing.
      Waiting.until(() -> !takes(stays));
    }
  }

  private static boolean takes(RawPeer peer) {
    try {
      peer.write((byte) 0);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static byte[] changed(int index, int value) {
    byte[] bytes = RawPeer.REQUEST.clone();
    bytes[index] = (byte) value;
    return bytes;
  }

  @Test
  @DisplayName("P-006: a client that asks for markers is accepted and gets them, large data too")
  void markers() throws IOException {
    Peer server = bed.server();
    try (RawPeer peer = new RawPeer(accepting(server).localAddress())) {
      peer.write(changed(16, 0xD0));
      MpaFrame reply = peer.readReply();
      assertThat(reply.rejected()).isFalse();
      assertThat(reply.markers()).isFalse();
      server.awaitEstablished();
      byte[] data = new byte[200_000];
      new Random(12).nextBytes(data);
      Exposure exposure = server.expose(server.memory(data), Access.REMOTE_READ);
      peer.write(Fpdus.readRequest(1, 5, data.length, exposure.steeringTag(),
          exposure.remoteOffset()));
      try (RawPeer.Marked marked = peer.marked()) {
        ByteBuffer got = ByteBuffer.allocate(data.length);
        while (got.hasRemaining()) {
          ByteBuffer ulpdu = marked.readUlpdu();
          assertThat(ulpdu.getLong(6)).isEqualTo(got.position());
          got.put(ulpdu.position(14));
        }
        assertThat(got.array()).isEqualTo(data);
      }
    }
    server.awaitDisconnected();
  }

  @Test
  @DisplayName("P-004, B-008: a silent client is closed at the deadline")
  void silent() throws IOException {
    VerbsListener listener = accepting(bed.server());
    try (RawPeer peer = new RawPeer(listener.localAddress())) {
      assertThat(peer.isClosed()).isTrue();
    }
  }

  @Test
  @DisplayName("B-127: a request whose client has gone can be answered in any way, and fails so")
  void answeredTooLate() throws Exception {
    for (boolean accepting : new boolean[] {true, false}) {
      CompletableFuture<ConnectionRequest> asked = new CompletableFuture<>();
      VerbsListener listener = bed.listen(asked::complete);
      try (RawPeer peer = new RawPeer(listener.localAddress())) {
        peer.write(RawPeer.REQUEST);
        ConnectionRequest request = asked.get(10, TimeUnit.SECONDS);
        peer.reset();
        // The listener's loop has seen the reset when its address is free again.
        Waiting.await(listener.close());
        Throwable failure = Waiting.awaitFailure(accepting
            ? bed.accept(request, bed.server(), ConnectionOptions.DEFAULT)
            : request.reject(Buffer.buffer()));
        assertThat(failure).isInstanceOfAny(VerbsException.class, IllegalStateException.class);
      }
    }
  }

  @Test
  @DisplayName("P-002: a client that goes on before it has the Reply is closed")
  void tooEarly() throws Exception {
    CompletableFuture<Void> asked = new CompletableFuture<>();
    VerbsListener listener = bed.listen(request -> asked.complete(null));
    try (RawPeer peer = new RawPeer(listener.localAddress())) {
      peer.write(RawPeer.REQUEST);
      asked.get(10, TimeUnit.SECONDS);
      peer.write(Fpdus.send(1, (byte) 1));
      assertThat(peer.isClosed()).isTrue();
      assertThat(peer.replied()).isFalse();
    }
  }

  @Test
  @DisplayName("P-028: only so many clients may be in startup")
  void tooManyInStartup() throws IOException {
    VerbsListener listener = accepting(bed.server());
    RawPeer[] waiting = new RawPeer[3];
    for (int i = 0; i < waiting.length; i++) {
      waiting[i] = new RawPeer(listener.localAddress());
      waiting[i].write(RawPeer.REQUEST[0]);
    }
    try (RawPeer late = new RawPeer(listener.localAddress())) {
      late.write(RawPeer.REQUEST);
      assertThat(late.isClosed()).as("closed without a Reply").isTrue();
      assertThat(late.replied()).isFalse();
    }
    for (RawPeer each : waiting) {
      each.close();
    }
  }

  @Test
  @DisplayName("P-009: a client of revision 1 without the enhanced block")
  void revision1() throws IOException {
    Peer server = bed.server();
    server.receive(1, 64);
    VerbsListener listener = accepting(server);
    try (RawPeer peer = new RawPeer(listener.localAddress())) {
      peer.write(new MpaFrame(true, false, false, false, 1, Optional.empty(), new byte[0])
          .encode());
      MpaFrame reply = peer.readReply();
      assertThat(reply.revision()).isEqualTo(1);
      assertThat(reply.enhanced()).isEmpty();
      assertThat(reply.crc()).as("our C=1 turns CRCs on").isTrue();
      peer.write(Fpdus.send(1, (byte) 1));
      server.handler().completion(Opcode.RECEIVE);
    }
    server.awaitDisconnected();
  }

  @Test
  @DisplayName("B-009: the first FPDU in single bytes, right behind the Reply")
  void firstFpduInBytes() throws IOException {
    Peer server = bed.server();
    server.receive(1, 64);
    try (RawPeer peer = RawPeer.connected(accepting(server).localAddress())) {
      for (byte each : Fpdus.send(1, (byte) 1, (byte) 2)) {
        peer.write(each);
      }
      assertThat(server.handler().completion(Opcode.RECEIVE).byteLength()).isEqualTo(2);
    }
    server.awaitDisconnected();
  }

  @Test
  @DisplayName("P-021, P-022: a bad FPDU gets its Terminate, then the end")
  void terminate() throws IOException {
    Peer server = bed.server();
    try (RawPeer peer = RawPeer.connected(accepting(server).localAddress())) {
      peer.write(Fpdus.concat(Fpdus.write(0x77, 0, (byte) 1), Fpdus.send(1, (byte) 1)));
      assertThat(peer.readTerminate()).isEqualTo(0x1100C000);
    }
    Disconnected end = server.awaitDisconnected();
    assertThat(end.reason().kind()).isEqualTo(DisconnectReason.Kind.LOCAL_ERROR);
  }

  @Test
  @DisplayName("P-022: behind its Terminate the stream ends by a FIN, whatever the peer still sends")
  void endsInOrder() throws IOException {
    // The deadline that would end it otherwise is far behind those of this test.
    try (VerbsBed patient = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT.withSettings(
        new JsonObject().put("closeTimeoutMillis", 120_000)))) {
      Peer server = patient.server();
      VerbsListener listener = patient.listen(
          request -> patient.accept(request, server, ConnectionOptions.DEFAULT));
      try (RawPeer peer = RawPeer.connected(listener.localAddress())) {
        peer.write(Fpdus.write(0x77, 0, (byte) 1));
        peer.write(new byte[300_000]);
        assertThat(peer.readTerminate()).isEqualTo(0x1100C000);
      }
      server.awaitDisconnected();
    }
  }

  @Test
  @DisplayName("P-021: the peer's Terminate is the reason that the consumer is told")
  void terminatedByPeer() throws IOException {
    Peer server = bed.server();
    try (RawPeer peer = RawPeer.connected(accepting(server).localAddress())) {
      peer.write(Fpdus.untagged(0x41, 0x47, 0, 2, 1, 0, new byte[] {0x12, 2, 0, 0}));
      Disconnected end = server.awaitDisconnected();
      assertThat(end.reason().kind()).isEqualTo(DisconnectReason.Kind.REMOTE_ERROR);
      assertThat(end.reason().detail()).contains("no buffer");
      assertThat(end.reason().steeringTag()).isEmpty();
    }
  }

  @Test
  @DisplayName("P-021: the tag that the peer's device has refused is part of the reason")
  void refusedTag() throws IOException {
    Peer server = bed.server();
    try (RawPeer peer = RawPeer.connected(accepting(server).localAddress())) {
      ByteBuffer terminate = ByteBuffer.allocate(20).putInt(0x1101C000).putShort((short) 22);
      DdpHeader.putTagged(terminate, RdmapOpcode.WRITE, true, 0x76543210, 8);
      peer.write(Fpdus.untagged(0x41, 0x47, 0, 2, 1, 0, terminate.array()));
      Disconnected end = server.awaitDisconnected();
      assertThat(end.reason().kind()).isEqualTo(DisconnectReason.Kind.REMOTE_ERROR);
      assertThat(end.reason().steeringTag()).hasValue(0x76543210);
    }
  }

  /** Fails if the deadline of startup ends with the Request. */
  @Test
  @DisplayName("P-004: a request that the consumer never answers is rejected at the deadline")
  void neverAnswered() throws IOException {
    try (VerbsBed hasty = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT.withSettings(
        new JsonObject().put("startupTimeoutMillis", 300)))) {
      CompletableFuture<ConnectionRequest> asked = new CompletableFuture<>();
      VerbsListener listener = hasty.listen(asked::complete);
      try (RawPeer peer = new RawPeer(listener.localAddress())) {
        peer.write(RawPeer.REQUEST);
        assertThat(peer.readReply().rejected()).isTrue();
        assertThat(peer.atEnd()).isTrue();
      }
      assertThat(Waiting.awaitFailure(hasty.accept(asked.join(), hasty.server(),
          ConnectionOptions.DEFAULT))).isInstanceOf(IllegalStateException.class);
      assertThat(Waiting.awaitFailure(asked.join().reject(Buffer.buffer())))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  @DisplayName("P-007, B-024: a reset is told once, as the last upcall")
  void reset() throws IOException {
    Peer server = bed.server();
    server.receive(1, 64);
    RawPeer peer = RawPeer.connected(accepting(server).localAddress());
    server.awaitEstablished();
    peer.reset();
    server.awaitDisconnected();
    long count = server.handler().events().stream().filter(Disconnected.class::isInstance)
        .count();
    assertThat(count).isEqualTo(1);
  }

  @Test
  @DisplayName("B-004: a slow reader with small buffers gets each byte of a large Read")
  void slowReader() throws IOException {
    Peer server = bed.server();
    try (RawPeer peer = RawPeer.connected(accepting(server).localAddress())) {
      server.awaitEstablished();
      byte[] data = new byte[2_000_000];
      new Random(11).nextBytes(data);
      Exposure exposure = server.expose(server.memory(data), Access.REMOTE_READ);
      peer.write(Fpdus.readRequest(1, 5, data.length, exposure.steeringTag(),
          exposure.remoteOffset()));
      ByteBuffer got = ByteBuffer.allocate(data.length);
      while (got.hasRemaining()) {
        ByteBuffer ulpdu = peer.readUlpdu();
        assertThat(ulpdu.getInt(2)).isEqualTo(5);
        assertThat(ulpdu.getLong(6)).isEqualTo(got.position());
        got.put(ulpdu.position(14));
      }
      assertThat(got.array()).isEqualTo(data);
    }
    server.awaitDisconnected();
  }

  @Test
  @DisplayName("R-155, B-035: a revocation waits for a reader; one that never reads is disconnected")
  void revokeAgainstReader() throws IOException {
    Peer server = bed.server();
    try (RawPeer peer = RawPeer.connected(accepting(server).localAddress())) {
      server.awaitEstablished();
      Exposure exposure =
          server.expose(server.memory(new byte[20_000_000]), Access.REMOTE_READ);
      server.receive(1, 8);
      peer.write(Fpdus.concat(Fpdus.readRequest(1, 5, 20_000_000, exposure.steeringTag(),
          exposure.remoteOffset()), Fpdus.send(1)));
      server.handler().completion(Opcode.RECEIVE);
      server.run(owned -> owned.revoke(exposure));
      server.awaitDisconnected();
      int revoked = -1;
      for (int i = 0; i < server.handler().events().size(); i++) {
        Event event = server.handler().events().get(i);
        revoked = event instanceof Revoked ? i : revoked;
      }
      assertThat(revoked).as("answered, before disconnected")
          .isBetween(0, server.handler().events().size() - 2);
    }
  }
}
