// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.ibverbs.FakeFabric;
import dev.rpcrdma.ibverbs.FakeFabric.Kind;
import dev.rpcrdma.ibverbs.NeedsRdmaHeaders;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.RecordingHandler.Completed;
import dev.rpcrdma.testkit.RecordingHandler.Exposed;
import dev.rpcrdma.testkit.RecordingHandler.Revoked;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Memory that is revoked when a Read of it has begun, and stands still. */
@NeedsRdmaHeaders
class RevocationTest {

  private static final int LENGTH = 1 << 20;

  @RegisterExtension
  final FakeFabric fabric = new FakeFabric(Kind.ROCE);

  private static final class Reading {
    final VerbsBed.Pair pair;
    final LocalMemory source;
    final LocalMemory sink;
    final Exposure exposure;

    Reading(VerbsBed bed) {
      pair = bed.connect();
      byte[] old = new byte[LENGTH];
      Arrays.fill(old, (byte) 0x11);
      source = pair.server().memory(old);
      sink = pair.client().memory(LENGTH);
      exposure = pair.server().expose(source, Access.REMOTE_READ);
      pair.client().post(owned -> owned.postRead(1, sink, 0, LENGTH, exposure.steeringTag(), exposure.remoteOffset()));
      Waiting.until(() -> sink.buffer().get(0) != 0);
      pair.server().run(owned -> owned.revoke(exposure));
    }

    Peer server() {
      return pair.server();
    }

    void assertRead(int from, int to, int content) {
      assertThat(Peer.bytes(sink, from, to - from)).containsOnly(content);
    }
  }

  @Test
  @DisplayName("P-024, B-035: RoCE: it is told at once, and no byte of what comes then is read")
  void roce() {
    fabric.control().fakeStall(1);
    try (VerbsBed bed = fabric.bed()) {
      Reading reading = new Reading(bed);
      reading.server().handler().next(Revoked.class);
      byte[] fresh = new byte[LENGTH];
      Arrays.fill(fresh, (byte) 0x77);
      reading.source.buffer().put(0, fresh);
      fabric.control().fakeStall(0);
      assertThat(reading.pair.client().handler().completion(Opcode.READ).status()).isEqualTo(Status.ERROR);
      reading.assertRead(LENGTH / 2, LENGTH, 0);
      reading.pair.awaitDisconnected();
    }
  }

  /** Fails if {@code IbverbsExposures.deregistered} tells of it before its fence has passed. */
  @Test
  @DisplayName("P-024, B-035: siw: it is told when the Read has ended, all of which is of the content before")
  void siw() {
    fabric.reset(Kind.SIW);
    fabric.control().fakeStall(1);
    try (VerbsBed bed = fabric.bed()) {
      Reading reading = new Reading(bed);
      Peer server = reading.server();
      Waiting.until(() -> fabric.control().fakeCalls("ibv_dereg_mr") > 0
          && fabric.control().fakeCalls("ibv_post_send") > 1);
      // What was asked for behind it is told; it is not.
      LocalMemory other = server.memory(8);
      server.run(owned -> owned.expose(5, other, 0, 8, Access.REMOTE_READ));
      server.handler().next(Exposed.class);
      assertThat(server.handler().events()).noneMatch(Revoked.class::isInstance);
      fabric.control().fakeStall(0);
      server.handler().next(Revoked.class);
      Completed read = reading.pair.client().handler().completion(Opcode.READ);
      assertThat(read.status()).isEqualTo(Status.SUCCESS);
      reading.assertRead(0, LENGTH, 0x11);
    }
  }

  /** Fails if {@code IbverbsConnection.lookAtRevocations} lets one take as long as the peer likes. */
  @Test
  @DisplayName("R-155, B-035: siw: a Read that never ends does not keep memory from its owner, but the connection ends")
  void neverEnds() {
    fabric.reset(Kind.SIW);
    fabric.control().fakeStall(1);
    try (VerbsBed bed = new VerbsBed(fabric.provider(), DeviceOptions.DEFAULT.withSettings(new JsonObject()
        .put("revokeTimeoutMillis", 200).put("closeTimeoutMillis", 200)))) {
      Reading reading = new Reading(bed);
      reading.server().handler().next(Revoked.class);
      assertThat(reading.server().awaitDisconnected().reason().detail()).contains("being revoked");
      assertThat(reading.pair.client().handler().completion(Opcode.READ).status()).isEqualTo(Status.FLUSHED);
    }
  }
}
