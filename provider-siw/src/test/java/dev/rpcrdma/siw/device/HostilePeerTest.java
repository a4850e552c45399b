// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.SiwProvider;
import dev.rpcrdma.siw.stream.Fpdus;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import io.netty.buffer.PooledByteBufAllocator;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Peers that break rules over real sockets. Each ends by the RFC's Terminate; not a byte outside
 * what was offered changes, nothing of it stays behind, and a neighbour notices nothing.
 */
@DisplayName("siw: hostile peers")
@Tag("slow")
final class HostilePeerTest {

  private static final ConnectionOptions OPTIONS =
      ConnectionOptions.DEFAULT.withReads(2, 2);
  private static final int MEMORY = 512;
  private static final int FROM = 128;
  private static final int LENGTH = 64;
  private static final byte GUARD = 0x5A;
  private static final byte[] EIGHT = new byte[8];

  private final VerbsBed bed = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT.withSettings(
      new JsonObject().put("startupTimeoutMillis", 4000).put("closeTimeoutMillis", 100)));
  private final ConcurrentLinkedQueue<Peer> servers = new ConcurrentLinkedQueue<>();
  private VerbsListener listener;
  private VerbsBed.Pair neighbours;

  @BeforeEach
  void listen() {
    listener = bed.listen(request -> bed.accept(request, servers.remove(), OPTIONS));
    neighbours = bed.connect();
  }

  /** A neighbour still gets its messages, and of the attacker nothing is left. */
  @AfterEach
  void unaffected() {
    neighbours.server().receive(77, 8);
    neighbours.client().send(77, EIGHT);
    neighbours.server().handler().completion(Opcode.RECEIVE);
    SiwDevice device = (SiwDevice) bed.device();
    Waiting.await(neighbours.client().close());
    neighbours.awaitDisconnected();
    settle(neighbours.client());
    settle(neighbours.server());
    assertThat(device.connections()).isZero();
    bed.close();
  }

  /** Returns when the turn that told of the end is over. */
  private static void settle(Peer peer) {
    peer.run(owned -> {});
  }

  /** One connection with an attacker: guarded memory, exposed and posted in its middle. */
  private final class Scene implements AutoCloseable {
    private final Peer server = bed.server();
    private final List<LocalMemory> guarded = new ArrayList<>();
    private final RawPeer attacker;
    private final Exposure writable;
    private final Exposure readable;

    Scene() throws IOException {
      LocalMemory received = guarded();
      server.onSetup(created -> created.postReceive(1, received, FROM, LENGTH));
      servers.add(server);
      attacker = RawPeer.connected(listener.localAddress());
      server.awaitEstablished();
      writable = server.expose(guarded(), FROM, LENGTH, Access.REMOTE_WRITE);
      readable = server.expose(guarded(), FROM, LENGTH, Access.REMOTE_READ);
    }

    private LocalMemory guarded() {
      byte[] guard = new byte[MEMORY];
      Arrays.fill(guard, GUARD);
      LocalMemory memory = server.memory(guard);
      guarded.add(memory);
      return memory;
    }

    /** The Terminate's layer, type and code. */
    int terminated() throws IOException {
      return attacker.readTerminate() >>> 16;
    }

    void assertOver() {
      assertThat(server.awaitDisconnected().reason().kind())
          .isEqualTo(DisconnectReason.Kind.LOCAL_ERROR);
      settle(server);
      for (LocalMemory memory : guarded) {
        byte[] bytes = Peer.bytes(memory, 0, MEMORY);
        Arrays.fill(bytes, FROM, FROM + LENGTH, GUARD);
        byte[] expected = new byte[MEMORY];
        Arrays.fill(expected, GUARD);
        assertThat(bytes).isEqualTo(expected);
      }
      assertThat(server.queuePair().exposures()).isZero();
    }

    @Override
    public void close() throws IOException {
      attacker.close();
    }
  }

  /** What an attacker sends. */
  @FunctionalInterface
  private interface Bytes {
    byte[] of(int tag, long offset, int readTag, long readOffset);
  }

  /** Attacks whose Terminate the RFCs name. */
  private enum Attack {
    SEND_SEGMENT_OUT_OF_ORDER(0x1204, (t, o, r, p) ->
        Fpdus.untagged(0x01, 0x43, 0, 0, 1, 8, EIGHT)),
    SEND_SEGMENTS_OVERLAP(0x1204, (t, o, r, p) -> Fpdus.concat(
        Fpdus.untagged(0x01, 0x43, 0, 0, 1, 0, EIGHT),
        Fpdus.untagged(0x41, 0x43, 0, 0, 1, 4, EIGHT))),
    SEND_SEGMENT_REPEATED(0x1204, (t, o, r, p) -> Fpdus.concat(
        Fpdus.untagged(0x01, 0x43, 0, 0, 1, 0, EIGHT),
        Fpdus.untagged(0x01, 0x43, 0, 0, 1, 0, EIGHT))),
    SEND_OFFSET_NEGATIVE(0x1204, (t, o, r, p) ->
        Fpdus.untagged(0x41, 0x43, 0, 0, 1, -8, EIGHT)),
    SEND_REPEATED(0x1203, (t, o, r, p) -> Fpdus.concat(Fpdus.send(1, EIGHT),
        Fpdus.send(1, EIGHT))),
    SEND_LEFT_OUT(0x1203, (t, o, r, p) -> Fpdus.send(2, EIGHT)),
    SEND_PAST_THE_END(0x1205, (t, o, r, p) -> Fpdus.send(1, new byte[LENGTH + 1])),
    SEND_GROWS_PAST_THE_END(0x1205, (t, o, r, p) -> Fpdus.concat(
        Fpdus.untagged(0x01, 0x43, 0, 0, 1, 0, new byte[LENGTH]),
        Fpdus.untagged(0x41, 0x43, 0, 0, 1, LENGTH, new byte[1]))),
    SEND_WITHOUT_RECEIVE(0x1202, (t, o, r, p) -> Fpdus.concat(Fpdus.send(1), Fpdus.send(2))),
    UNKNOWN_QUEUE(0x1201, (t, o, r, p) -> Fpdus.untagged(0x41, 0x43, 0, -1, 1, 0)),
    SHORTER_THAN_ITS_HEADER(0x1000, (t, o, r, p) -> Fpdus.frame(new byte[] {0x41, 0x43, 0})),
    EMPTY(0x1000, (t, o, r, p) -> Fpdus.frame(new byte[0])),
    DDP_VERSION(0x1206, (t, o, r, p) -> Fpdus.untagged(0x43, 0x43, 0, 0, 1, 0)),
    DDP_VERSION_TAGGED(0x1104, (t, o, r, p) -> Fpdus.tagged(0xC2, 0x40, t, o)),
    RDMAP_VERSION(0x0205, (t, o, r, p) -> Fpdus.untagged(0x41, 0x03, 0, 0, 1, 0)),
    UNKNOWN_OPCODE(0x0206, (t, o, r, p) -> Fpdus.untagged(0x41, 0x4F, 0, 0, 1, 0)),
    WRITE_UNKNOWN_TAG(0x1100, (t, o, r, p) -> Fpdus.write(t ^ 1, o, EIGHT)),
    WRITE_BEFORE(0x1101, (t, o, r, p) -> Fpdus.write(t, o - 1, EIGHT)),
    WRITE_BEHIND(0x1101, (t, o, r, p) -> Fpdus.write(t, o + LENGTH - 7, EIGHT)),
    WRITE_FAR_BEHIND(0x1101, (t, o, r, p) -> Fpdus.write(t, o + (1L << 32), EIGHT)),
    WRITE_SECOND_SEGMENT_BEHIND(0x1101, (t, o, r, p) -> Fpdus.concat(
        Fpdus.tagged(0x81, 0x40, t, o, new byte[LENGTH]),
        Fpdus.tagged(0xC1, 0x40, t, o + LENGTH, EIGHT))),
    WRITE_WRAPS(0x1103, (t, o, r, p) -> Fpdus.write(t, -4, EIGHT)),
    WRITE_TO_READABLE(0x0102, (t, o, r, p) -> Fpdus.write(r, p, EIGHT)),
    READ_UNKNOWN_TAG(0x0100, (t, o, r, p) -> Fpdus.readRequest(1, 5, 8, r ^ 1, p)),
    READ_BEFORE(0x0101, (t, o, r, p) -> Fpdus.readRequest(1, 5, 8, r, p - 1)),
    READ_BEHIND(0x0101, (t, o, r, p) -> Fpdus.readRequest(1, 5, LENGTH, r, p + 1)),
    READ_OF_2_GIB(0x0101, (t, o, r, p) -> Fpdus.readRequest(1, 5, 0x80000000, r, p)),
    READ_OF_4_GIB(0x0101, (t, o, r, p) -> Fpdus.readRequest(1, 5, -1, r, p)),
    READ_WRAPS(0x0104, (t, o, r, p) -> Fpdus.readRequest(1, 5, 8, r, -4)),
    READ_OF_WRITABLE(0x0102, (t, o, r, p) -> Fpdus.readRequest(1, 5, 8, t, o)),
    READ_REPEATED(0x1203, (t, o, r, p) -> Fpdus.concat(Fpdus.readRequest(1, 5, 8, r, p),
        Fpdus.readRequest(1, 5, 8, r, p))),
    RESPONSE_UNSOLICITED(0x1100, (t, o, r, p) -> Fpdus.tagged(0xC1, 0x42, t, o, EIGHT)),
    RESPONSE_UNSOLICITED_EMPTY(0x1100, (t, o, r, p) -> Fpdus.tagged(0xC1, 0x42, 0, 0)),
    INVALIDATE_UNKNOWN(0x0109, (t, o, r, p) -> Fpdus.untagged(0x41, 0x44, t ^ 1, 0, 1, 0)),
    CRC_MISMATCH(0x2002, (t, o, r, p) -> {
      byte[] bytes = Fpdus.send(1, EIGHT);
      bytes[bytes.length - 5] ^= 1;
      return bytes;
    });

    private final int terminate;
    private final Bytes bytes;

    Attack(int terminate, Bytes bytes) {
      this.terminate = terminate;
      this.bytes = bytes;
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("P-013 to P-023, B-001, B-002, B-018: what breaks a rule gets its Terminate")
  void attacks(Attack attack) throws IOException {
    try (Scene scene = new Scene()) {
      byte[] bytes = attack.bytes.of(scene.writable.steeringTag(), scene.writable.remoteOffset(),
          scene.readable.steeringTag(), scene.readable.remoteOffset());
      // What follows in the same segment of TCP must not be looked at.
      scene.attacker.write(Fpdus.concat(bytes, Fpdus.write(scene.writable.steeringTag(),
          scene.writable.remoteOffset(), new byte[] {66})));
      int word = attack == Attack.READ_REPEATED ? scene.attacker.readTerminateBehind() >>> 16
          : scene.terminated();
      assertThat(word).isEqualTo(attack.terminate);
      scene.assertOver();
      // Fails if parsing goes on behind a fault.
      assertThat(Peer.bytes(scene.guarded.get(1), FROM, 1)).doesNotContain(66);
    }
  }

  @Test
  @DisplayName("P-017, P-028: a Read Request beyond the IRD ends the stream")
  void beyondIrd() throws IOException {
    try (Scene scene = new Scene()) {
      byte[][] requests = new byte[3][];
      for (int i = 0; i < requests.length; i++) {
        requests[i] = Fpdus.readRequest(i + 1, 5, LENGTH, scene.readable.steeringTag(),
            scene.readable.remoteOffset());
      }
      scene.attacker.write(Fpdus.concat(requests));
      assertThat(scene.attacker.readTerminateBehind() >>> 16).isEqualTo(0x1202);
      scene.assertOver();
    }
  }

  @Test
  @DisplayName("P-018, B-013: Responses that are longer, shorter, elsewhere or more than were asked")
  void responses() throws IOException {
    for (int kind = 0; kind < 8; kind++) {
      try (Scene scene = new Scene()) {
        LocalMemory sink = scene.guarded();
        // The attacker's first FPDU lets the server send.
        scene.attacker.write(Fpdus.tagged(0xC1, 0x40, 1, 0));
        scene.server.post(owned -> owned.postRead(9, sink, FROM, LENGTH, 7, 0));
        int tag = scene.attacker.readUlpdu().getInt(18);
        scene.attacker.write(response(kind, tag));
        assertThat(scene.terminated()).as("kind %d", kind)
            .isEqualTo(kind == 4 || kind == 5 ? 0x1100 : 0x1101);
        scene.assertOver();
      }
    }
  }

  private static byte[] response(int kind, int tag) {
    byte[] whole = new byte[LENGTH];
    return switch (kind) {
      case 0 -> Fpdus.tagged(0xC1, 0x42, tag, 0, new byte[LENGTH + 1]);
      case 1 -> Fpdus.tagged(0xC1, 0x42, tag, 0, new byte[LENGTH - 1]);
      case 2 -> Fpdus.tagged(0xC1, 0x42, tag, 1, whole);
      case 3 -> Fpdus.concat(Fpdus.tagged(0x81, 0x42, tag, 0, whole),
          Fpdus.tagged(0xC1, 0x42, tag, LENGTH, new byte[1]));
      case 4 -> Fpdus.concat(Fpdus.tagged(0xC1, 0x42, tag, 0, whole),
          Fpdus.tagged(0xC1, 0x42, tag, 0, whole));
      case 5 -> Fpdus.tagged(0xC1, 0x42, tag ^ 1, 0, whole);
      case 6 -> Fpdus.tagged(0x81, 0x42, tag, -1L << 32, EIGHT);
      // Not the last segment, so that its length alone shows it.
      default -> Fpdus.tagged(0x81, 0x42, tag, 0, new byte[LENGTH + 1]);
    };
  }

  @Test
  @DisplayName("P-028: a flood of tiny FPDUs is worked off, and what is behind it arrives")
  void flood() throws IOException {
    try (Scene scene = new Scene()) {
      byte[] one = Fpdus.tagged(0xC1, 0x40, 0, 0);
      ByteBuffer many = ByteBuffer.allocate(one.length * 10_000);
      while (many.hasRemaining()) {
        many.put(one);
      }
      for (int i = 0; i < 20; i++) {
        scene.attacker.write(many.array());
      }
      scene.attacker.write(Fpdus.send(1, EIGHT));
      assertThat(scene.server.handler().completion(Opcode.RECEIVE).byteLength()).isEqualTo(8);
      scene.attacker.write(Fpdus.send(1, EIGHT));
      assertThat(scene.terminated()).isEqualTo(0x1203);
      scene.assertOver();
    }
  }

  @Test
  @DisplayName("P-028, B-141: for a peer that stops reading no memory piles up, and close() ends it")
  void stopsReading() throws IOException {
    long before = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
    try (Scene scene = new Scene()) {
      LocalMemory large = scene.server.memory(32 << 20);
      Exposure exposure = scene.server.expose(large, Access.REMOTE_READ);
      LocalMemory notice = scene.server.memory(8);
      scene.server.receive(2, 8);
      scene.attacker.write(Fpdus.concat(
          Fpdus.readRequest(1, 5, 32 << 20, exposure.steeringTag(), exposure.remoteOffset()),
          Fpdus.readRequest(2, 5, 32 << 20, exposure.steeringTag(), exposure.remoteOffset()),
          Fpdus.send(1)));
      scene.server.handler().completion(Opcode.RECEIVE);
      scene.server.post(owned -> {
        for (int i = 0; i < 50; i++) {
          owned.postSend(100 + i, notice, 0, 8);
        }
      });
      assertThat(PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory() - before)
          .isLessThan(16L << 20);
      Waiting.await(scene.server.close());
      assertThat(scene.server.awaitDisconnected().reason().kind())
          .isEqualTo(DisconnectReason.Kind.LOCAL_CLOSE);
      settle(scene.server);
      for (int i = 0; i < 50; i++) {
        scene.server.handler().completion(Opcode.SEND);
      }
      assertThat(scene.server.queuePair().exposures()).isZero();
    }
  }

  @Test
  @DisplayName("P-004, P-028, B-006, B-139: half-open connections of each step end with the device")
  void halfOpen() throws IOException {
    List<RawPeer> attackers = new ArrayList<>();
    List<Peer> accepted = new ArrayList<>();
    byte[] fpdu = Fpdus.send(1, EIGHT);
    for (int step = 0; step < 4; step++) {
      RawPeer attacker = new RawPeer(listener.localAddress());
      attackers.add(attacker);
      if (step == 1) {
        attacker.write(Arrays.copyOf(RawPeer.REQUEST, 21));
      } else if (step > 1) {
        Peer server = bed.server();
        accepted.add(server);
        servers.add(server);
        attacker.write(RawPeer.REQUEST);
        attacker.readReply();
        attacker.write(Arrays.copyOf(fpdu, step == 2 ? 0 : fpdu.length - 1));
      }
    }
    // The first two are closed at the deadline of startup; the others are the consumer's to close.
    assertThat(attackers.get(0).isClosed()).isTrue();
    assertThat(attackers.get(1).isClosed()).isTrue();
    SiwDevice device = (SiwDevice) bed.device();
    assertThat(device.connections()).isEqualTo(2 + 2);
    for (RawPeer attacker : attackers) {
      attacker.reset();
    }
    for (Peer server : accepted) {
      server.awaitDisconnected();
      settle(server);
    }
  }
}
