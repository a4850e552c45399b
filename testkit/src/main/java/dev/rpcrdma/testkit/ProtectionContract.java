// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.RecordingHandler.Completed;
import dev.rpcrdma.testkit.RecordingHandler.Revoked;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What a peer may not do (RFC 5042): it disconnects both sides, and no byte outside the exposed
 * range changes or leaves. What becomes of the sender's work request is left open, as it differs between
 * fabrics; so is whether the sender is told which tag was refused, but if it is, then rightly.
 */
public interface ProtectionContract extends ContractBase {

  /** The exposed range of the tests, in a memory of 64 bytes. */
  int OFFSET = 16;

  /** Its length. */
  int LENGTH = 32;

  /** An access that must not work. */
  @FunctionalInterface
  interface Offence {

    /**
     * Posts it.
     *
     * @param queuePair of the offender
     * @param memory 64 bytes of the offender
     * @param exposure of the victim
     */
    void post(QueuePair queuePair, LocalMemory memory, Exposure exposure);
  }

  /** Tells whether a device of the provider learns which tag the peer's device has refused. */
  default boolean namesRefusedTags() {
    return false;
  }

  private void mustNotWork(Access exposed, Offence access) {
    mustNotWork(exposed, 0, access);
  }

  /** As above, with an access that names the tag with some of its bits changed. */
  private void mustNotWork(Access exposed, int tagChange, Offence access) {
    try (VerbsBed bed = open()) {
      VerbsBed.Pair pair = bed.connect();
      byte[] before = new byte[64];
      Arrays.fill(before, (byte) 0x11);
      LocalMemory victim = pair.server().memory(before);
      Exposure exposure = pair.server().expose(victim, OFFSET, LENGTH, exposed);
      byte[] own = new byte[64];
      Arrays.fill(own, (byte) 0x77);
      LocalMemory offender = pair.client().memory(own);
      pair.client().post(client -> access.post(client, offender, exposure));
      DisconnectReason refused = pair.client().awaitDisconnected().reason();
      DisconnectReason refusing = pair.server().awaitDisconnected().reason();
      refused.steeringTag().ifPresent(tag ->
          assertThat(tag).isEqualTo(exposure.steeringTag() ^ tagChange));
      if (namesRefusedTags()) {
        assertThat(refused.steeringTag()).as("the tag that the other device has refused").isPresent();
      }
      assertThat(refusing.steeringTag()).as("the tag that the other device has refused").isEmpty();
      assertThat(Peer.bytes(victim, 0, OFFSET)).containsOnly(0x11);
      assertThat(Peer.bytes(victim, OFFSET + LENGTH, 64 - OFFSET - LENGTH)).containsOnly(0x11);
      if (exposed == Access.REMOTE_READ) {
        assertThat(Peer.bytes(victim, 0, 64)).isEqualTo(before);
      }
      assertThat(Peer.bytes(offender, 0, 64)).isEqualTo(own);
    }
  }

  /** Rights are checked. */
  @Test
  @DisplayName("P-023, R-321, B-018: a Write to memory exposed for Reads disconnects both sides")
  default void writeToReadOnly() {
    mustNotWork(Access.REMOTE_READ, (offender, memory, exposure) -> offender.postWrite(1, memory,
        0, 8, exposure.steeringTag(), exposure.remoteOffset()));
  }

  /** Rights are checked. */
  @Test
  @DisplayName("P-023, R-321, B-018: a Read of memory exposed for Writes disconnects both sides")
  default void readOfWriteOnly() {
    if (!readRightsChecked()) {
      readOfWriteOnlyWorks();
      return;
    }
    mustNotWork(Access.REMOTE_WRITE, (offender, memory, exposure) -> offender.postRead(1, memory,
        0, 8, exposure.steeringTag(), exposure.remoteOffset()));
  }

  private boolean readRightsChecked() {
    try (VerbsBed bed = open()) {
      return bed.device().attributes().readRightsChecked();
    }
  }

  /** It brings what is there, of the range and no other. */
  private void readOfWriteOnlyWorks() {
    try (VerbsBed bed = open()) {
      VerbsBed.Pair pair = bed.connect();
      byte[] content = new byte[64];
      Arrays.fill(content, (byte) 0x11);
      Exposure exposure = pair.server().expose(pair.server().memory(content), OFFSET, LENGTH, Access.REMOTE_WRITE);
      LocalMemory sink = pair.client().memory(64);
      pair.client().post(client -> client.postRead(1, sink, 0, LENGTH, exposure.steeringTag(),
          exposure.remoteOffset()));
      assertThat(pair.client().handler().completion(Opcode.READ).status()).isEqualTo(Status.SUCCESS);
      assertThat(Peer.bytes(sink, 0, LENGTH)).containsOnly(0x11);
    }
  }

  /** Bounds are checked at the end. */
  @Test
  @DisplayName("P-023, R-321: a Write of one byte too many disconnects both sides")
  default void writePastEnd() {
    mustNotWork(Access.REMOTE_WRITE, (offender, memory, exposure) -> offender.postWrite(1, memory,
        0, LENGTH + 1, exposure.steeringTag(), exposure.remoteOffset()));
  }

  /** Bounds are checked at the start. */
  @Test
  @DisplayName("P-023, R-321: a Write before the start disconnects both sides")
  default void writeBeforeStart() {
    mustNotWork(Access.REMOTE_WRITE, (offender, memory, exposure) -> offender.postWrite(1, memory,
        0, 8, exposure.steeringTag(), exposure.remoteOffset() - 1));
  }

  /** Bounds are checked for Reads too. */
  @Test
  @DisplayName("P-023, R-321: a Read of one byte too many disconnects both sides")
  default void readPastEnd() {
    mustNotWork(Access.REMOTE_READ, (offender, memory, exposure) -> offender.postRead(1, memory,
        0, LENGTH, exposure.steeringTag(), exposure.remoteOffset() + 1));
  }

  /** Sums of 64 bits are checked. */
  @Test
  @DisplayName("B-017: a Write that wraps around 64 bits disconnects both sides")
  default void writeThatWraps() {
    mustNotWork(Access.REMOTE_WRITE, (offender, memory, exposure) -> offender.postWrite(1, memory,
        0, 16, exposure.steeringTag(), -8));
  }

  /** Sums of 64 bits are checked. */
  @Test
  @DisplayName("B-017: a Read that wraps around 64 bits disconnects both sides")
  default void readThatWraps() {
    mustNotWork(Access.REMOTE_READ, (offender, memory, exposure) -> offender.postRead(1, memory,
        0, 16, exposure.steeringTag(), -8));
  }

  /** A tag cannot be guessed from another. */
  @Test
  @DisplayName("P-023, R-321: a Write to a wrong tag disconnects both sides")
  default void wrongTag() {
    mustNotWork(Access.REMOTE_WRITE, 0x100, (offender, memory, exposure) -> offender.postWrite(1,
        memory, 0, 8, exposure.steeringTag() ^ 0x100, exposure.remoteOffset()));
  }

  /** A tag cannot be guessed from another. */
  @Test
  @DisplayName("P-023, R-321: a Read of a wrong tag disconnects both sides")
  default void wrongTagOfRead() {
    mustNotWork(Access.REMOTE_READ, 0x100, (offender, memory, exposure) -> offender.postRead(1,
        memory, 0, 8, exposure.steeringTag() ^ 0x100, exposure.remoteOffset()));
  }

  /** Only a live tag can be invalidated. */
  @Test
  @DisplayName("P-020: a Send With Invalidate of a wrong tag disconnects both sides")
  default void invalidateWrongTag() {
    try (VerbsBed bed = open()) {
      if (!bed.device().attributes().remotelyInvalidatable()) {
        return;
      }
      Peer server = bed.server();
      server.receive(1, 16);
      VerbsBed.Pair pair = bed.connect(bed.client(), server);
      LocalMemory source = pair.client().memory(16);
      pair.client().post(client -> client.postSendWithInvalidate(1, source, 0, 8, 0x12345600));
      pair.awaitDisconnected();
    }
  }

  /** A tag is of no use on another connection, though its domain is the same. */
  @Test
  @DisplayName("P-023, R-322: a tag of another connection disconnects the offender only")
  default void foreignTag() {
    try (VerbsBed bed = open()) {
      VerbsBed.Pair owner = bed.connect();
      VerbsBed.Pair other = bed.connect();
      LocalMemory victim = owner.server().memory(64);
      Exposure exposure = owner.server().expose(victim, Access.REMOTE_WRITE);
      byte[] own = new byte[64];
      Arrays.fill(own, (byte) 0x77);
      LocalMemory offender = other.client().memory(own);
      other.client().post(client -> client.postWrite(1, offender, 0, 8, exposure.steeringTag(),
          exposure.remoteOffset()));
      other.awaitDisconnected();
      assertThat(Peer.bytes(victim, 0, 64)).containsOnly(0);
      owner.server().receive(5, 8);
      owner.client().send(6, new byte[] {1});
      assertThat(owner.server().handler().completion(Opcode.RECEIVE).id()).isEqualTo(5);
    }
  }

  /** Memory that several connections expose is not taken from one by the peer of another. */
  @Test
  @DisplayName("P-026, R-321: memory exposed to several peers is invalidated by none but its own")
  default void invalidateForeignTag() {
    try (VerbsBed bed = open()) {
      if (!bed.device().attributes().remotelyInvalidatable()) {
        return;
      }
      VerbsBed.Pair owner = bed.connect();
      Peer server = bed.server();
      server.receive(1, 16);
      VerbsBed.Pair other = bed.connect(bed.client(), server);
      LocalMemory shared = owner.server().memory(64);
      Exposure theirs = owner.server().expose(shared, Access.REMOTE_WRITE);
      Exposure own = server.expose(shared, Access.REMOTE_WRITE);
      assertThat(own.steeringTag()).isNotEqualTo(theirs.steeringTag());
      LocalMemory source = other.client().memory(16);
      other.client().post(client ->
          client.postSendWithInvalidate(1, source, 0, 8, theirs.steeringTag()));
      other.awaitDisconnected();
      assertThat(owner.server().exposures()).isEqualTo(1);
      owner.server().receive(5, 8);
      LocalMemory data = owner.client().memory(new byte[] {7});
      owner.client().post(client -> {
        client.postWrite(6, data, 0, 1, theirs.steeringTag(), theirs.remoteOffset());
        client.postSend(7, data, 0, 1);
      });
      assertThat(owner.server().handler().completion(Opcode.RECEIVE).id()).isEqualTo(5);
      assertThat(Peer.bytes(shared, 0, 1)).containsExactly(7);
    }
  }

  /** After a revocation the peer reaches nothing. */
  @Test
  @DisplayName("P-024, R-321: a revoked tag disconnects both sides, and the memory stays as it is")
  default void revokedTag() {
    try (VerbsBed bed = open()) {
      VerbsBed.Pair pair = bed.connect();
      LocalMemory victim = pair.server().memory(64);
      Exposure exposure = pair.server().expose(victim, Access.REMOTE_WRITE);
      assertThat(pair.server().exposures()).isEqualTo(1);
      pair.server().run(server -> server.revoke(exposure));
      assertThat(pair.server().handler().next(Revoked.class).exposure()).isSameAs(exposure);
      assertThat(pair.server().exposures()).isZero();
      byte[] own = new byte[64];
      Arrays.fill(own, (byte) 0x77);
      LocalMemory offender = pair.client().memory(own);
      pair.client().post(client -> client.postWrite(1, offender, 0, 8, exposure.steeringTag(),
          exposure.remoteOffset()));
      pair.awaitDisconnected();
      assertThat(Peer.bytes(victim, 0, 64)).containsOnly(0);
    }
  }

  /** Each revocation is answered. */
  @Test
  @DisplayName("Revoking twice is answered twice")
  default void revokeTwice() {
    try (VerbsBed bed = open()) {
      VerbsBed.Pair pair = bed.connect();
      Exposure exposure = pair.server().expose(pair.server().memory(64), Access.REMOTE_READ);
      pair.server().run(server -> {
        server.revoke(exposure);
        server.revoke(exposure);
      });
      pair.server().handler().next(Revoked.class);
      pair.server().handler().next(Revoked.class);
      assertThat(pair.server().exposures()).isZero();
    }
  }

  /** Memory whose revocation was told belongs to its owner alone, though the peer was reading it. */
  @Test
  @DisplayName("P-024, B-035: of memory that is revoked while it is read no byte of new content leaves")
  default void revokedWhileRead() {
    try (VerbsBed bed = open()) {
      // More than is on its way at a time to a client that takes nothing until the revocation was asked for. That the
      // Read has begun is told by the Send behind it, or by what a device has placed without the client's loop.
      int length = Math.min(24 << 20, bed.device().attributes().maxMessageSize());
      byte[] old = new byte[length];
      Arrays.fill(old, (byte) 0x11);
      byte[] fresh = new byte[length];
      Arrays.fill(fresh, (byte) 0x77);
      Peer server = bed.server();
      server.receive(1, 8);
      VerbsBed.Pair pair = bed.connect(bed.client(), server);
      LocalMemory memory = server.memory(old);
      Exposure exposure = server.expose(memory, Access.REMOTE_READ);
      CountDownLatch noticed = new CountDownLatch(1);
      server.handler().reaction(event -> {
        if (event instanceof Completed) {
          noticed.countDown();
        } else if (event instanceof Revoked) {
          memory.buffer().put(0, fresh);
        }
      });
      LocalMemory sink = pair.client().memory(length + 8);
      // A device may register memory when it is posted first, for which it needs a loop that is not blocked.
      pair.client().post(client -> client.postRead(1, sink, length, 8, exposure.steeringTag(),
          exposure.remoteOffset()));
      pair.client().handler().completion(Opcode.READ);
      AtomicBoolean underWay = new AtomicBoolean();
      pair.client().post(client -> {
        client.postRead(2, sink, 0, length, exposure.steeringTag(), exposure.remoteOffset());
        client.postSend(3, sink, length, 8);
        client.flush();
        Waiting.until(() -> noticed.getCount() == 0 || sink.buffer().get(0) != 0);
        underWay.set(sink.buffer().get(0) == 0);
        server.run(owned -> owned.revoke(exposure));
      });
      boolean read = pair.client().handler().completion(Opcode.READ).status() == Status.SUCCESS;
      byte[] got = Peer.bytes(sink, 0, length);
      int i = 0;
      while (i < length && got[i] == 0x11) {
        i++;
      }
      if (read) {
        assertThat(i).as("bytes of the old content").isEqualTo(length);
        assertThat(underWay.get() && bed.device().attributes().promptRevocation())
            .as("it says that it waits for no Read").isFalse();
      }
      while (i < length && got[i] == 0) {
        i++;
      }
      assertThat(i).as("where another content begins").isEqualTo(length);
      server.handler().next(Revoked.class);
      assertThat(Peer.bytes(memory, length - 1, 1)).containsExactly(0x77);
    }
  }

  /** Tags do not repeat and do not count up. */
  @Test
  @DisplayName("P-025, R-324: tags change with each exposure and cannot be predicted")
  default void tagsChange() {
    try (VerbsBed bed = open()) {
      VerbsBed.Pair pair = bed.connect();
      LocalMemory memory = pair.server().memory(64);
      Set<Integer> tags = new HashSet<>();
      Set<Integer> steps = new HashSet<>();
      int previous = 0;
      for (int i = 0; i < 100; i++) {
        Exposure exposure = pair.server().expose(memory, Access.REMOTE_READ);
        tags.add(exposure.steeringTag());
        steps.add(exposure.steeringTag() - previous);
        previous = exposure.steeringTag();
        pair.server().run(server -> server.revoke(exposure));
        pair.server().handler().next(Revoked.class);
      }
      assertThat(tags).hasSize(100);
      assertThat(steps.size()).as("different steps from tag to tag").isGreaterThan(10);
    }
  }
}
