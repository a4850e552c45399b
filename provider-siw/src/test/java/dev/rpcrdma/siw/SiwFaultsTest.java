// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.FaultPlan;
import dev.rpcrdma.testkit.FaultPlan.Step;
import dev.rpcrdma.testkit.FaultyProvider;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.RecordingHandler.Completed;
import dev.rpcrdma.testkit.RecordingHandler.Exposed;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.VerbsProviderContract;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsProvider;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The faults that the decorator makes are within the contract, and there are exactly so many. */
@DisplayName("siw with faults")
@Tag("slow")
final class SiwFaultsTest {

  private static VerbsBed bed(FaultPlan plan) {
    return new VerbsBed(new FaultyProvider(new SiwProvider(), plan), DeviceOptions.DEFAULT);
  }

  /** Wrapped but without faults, nothing changes. */
  @Nested
  @DisplayName("none: the contract of all providers")
  final class WithoutFaults implements VerbsProviderContract {

    @Override
    public VerbsProvider provider() {
      return new FaultyProvider(new SiwProvider(), FaultPlan.none());
    }
  }

  @Test
  @DisplayName("B-023: the connection is lost at the third post: flushed, and told as a loss")
  void lostAtPost() {
    FaultPlan plan = FaultPlan.at(Step.POST, 3);
    try (VerbsBed bed = bed(plan)) {
      VerbsBed.Pair pair = bed.connect();
      pair.server().receive(1, 8);
      pair.server().receive(2, 8);
      pair.client().send(1, new byte[8]);
      pair.client().send(2, new byte[8]);
      LocalMemory memory = pair.client().memory(8);
      pair.client().post(client -> client.postSend(3, memory, 0, 8));
      assertThat(pair.client().handler().completion(Opcode.SEND).status())
          .isEqualTo(Status.FLUSHED);
      assertThat(pair.client().awaitDisconnected().reason().kind())
          .isEqualTo(DisconnectReason.Kind.REMOTE_CLOSE);
      pair.server().awaitDisconnected();
      assertThat(plan.count(Step.POST)).isEqualTo(3);
      assertThat(plan.faults()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("The second exposure fails, and the third does not")
  void failedExposure() {
    try (VerbsBed bed = bed(FaultPlan.at(Step.EXPOSE, 2))) {
      Peer server = bed.connect().server();
      LocalMemory memory = server.memory(64);
      assertThat(server.expose(memory, Access.REMOTE_READ).failure()).isEmpty();
      assertThat(server.expose(memory, Access.REMOTE_READ).failure()).isPresent();
      assertThat(server.expose(memory, Access.REMOTE_READ).failure()).isEmpty();
      assertThat(server.exposures()).isEqualTo(2);
    }
  }

  @Test
  @DisplayName("An exposure that fails is answered also when the connection closes meanwhile")
  void failedExposureAtClose() {
    try (VerbsBed bed = bed(FaultPlan.at(Step.EXPOSE, 1))) {
      Peer server = bed.connect().server();
      LocalMemory memory = server.memory(64);
      server.receive(1, 8);
      // In the very last turn: the answer cannot wait for another one.
      server.handler().reaction(event -> {
        if (event instanceof Completed done && done.status() == Status.FLUSHED) {
          server.queuePair().expose(7, memory, 0, 64, Access.REMOTE_READ);
        }
      });
      Waiting.await(server.close());
      assertThat(server.handler().next(Exposed.class).exposure().failure()).isPresent();
      server.awaitDisconnected();
    }
  }

  @Test
  @DisplayName("The first registration is refused; random faults are the same for the same seed")
  void refusedRegistration() {
    try (VerbsBed bed = bed(FaultPlan.at(Step.REGISTER, 1))) {
      Peer peer = bed.client();
      VerbsException refused = (VerbsException) Waiting.awaitFailure(
          peer.domain().register(ByteBuffer.allocateDirect(8), LocalMemory.Backing.MEMORY));
      assertThat(refused.kind()).isEqualTo(VerbsException.Kind.RESOURCES);
      peer.memory(8);
    }
    assertThat(refusedOf(5)).isEqualTo(refusedOf(5)).isNotEqualTo(refusedOf(6)).contains("1", "0");
  }

  private static String refusedOf(long seed) {
    StringBuilder refused = new StringBuilder();
    try (VerbsBed bed = bed(FaultPlan.random(Step.REGISTER, seed, 3))) {
      Peer peer = bed.client();
      for (int i = 0; i < 40; i++) {
        refused.append(peer.domain().register(ByteBuffer.allocateDirect(8),
            LocalMemory.Backing.MEMORY).failed() ? '1' : '0');
      }
    }
    return refused.toString();
  }
}
