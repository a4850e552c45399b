// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.RecordingHandler.Completed;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.DisconnectReason.Kind;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Faults that the settings ask for. */
@DisplayName("memory: faults by settings")
final class SeededFaultsTest {

  private static final int MESSAGES = 100;

  private static VerbsBed bed(JsonObject settings) {
    return new VerbsBed(new MemoryProvider(), DeviceOptions.DEFAULT.withSettings(settings));
  }

  /** Posts many messages at once, and returns the ids of those that have arrived when the connection is gone. */
  private static List<Long> arrivedUntilCut(VerbsBed bed) {
    Peer server = bed.server();
    for (int i = 0; i < MESSAGES; i++) {
      server.receive(i, 8);
    }
    VerbsBed.Pair pair = bed.connect(bed.client(), server);
    LocalMemory memory = pair.client().memory(8);
    pair.client().post(client -> {
      for (int i = 0; i < MESSAGES; i++) {
        client.postSend(i, memory, 0, 8);
      }
    });
    assertThat(pair.client().awaitDisconnected().reason().kind()).isEqualTo(Kind.REMOTE_CLOSE);
    assertThat(server.awaitDisconnected().reason().detail()).isEqualTo("The connection is cut on purpose");
    return server.handler().events().stream().filter(Completed.class::isInstance).map(Completed.class::cast)
        .filter(done -> done.status() == Status.SUCCESS).map(Completed::id).toList();
  }

  @Test
  @DisplayName("Each connection carries so many messages, and is cut in the next one")
  void cutAfterMessages() {
    try (VerbsBed bed = bed(new JsonObject().put("cutAfterMessages", 5))) {
      for (int i = 0; i < 2; i++) {
        assertThat(arrivedUntilCut(bed)).containsExactly(0L, 1L, 2L, 3L, 4L);
      }
    }
  }

  @Test
  @DisplayName("Of a message in which the connection is cut half is placed, and nothing told")
  void half() {
    try (VerbsBed bed = bed(new JsonObject().put("cutAfterMessages", 1))) {
      VerbsBed.Pair pair = bed.connect();
      LocalMemory target = pair.server().memory(16);
      Exposure exposure = pair.server().expose(target, Access.REMOTE_WRITE);
      LocalMemory source = pair.client().memory(new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
      pair.client().post(client -> {
        client.postWrite(1, source, 0, 8, exposure.steeringTag(), exposure.remoteOffset());
        client.postWrite(2, source, 0, 8, exposure.steeringTag(), exposure.remoteOffset() + 8);
      });
      pair.awaitDisconnected();
      assertThat(Peer.bytes(target, 0, 16)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 0, 0, 0, 0);
      assertThat(pair.client().handler().completion(Opcode.WRITE).status()).isEqualTo(Status.SUCCESS);
      assertThat(pair.client().handler().completion(Opcode.WRITE).status()).isEqualTo(Status.FLUSHED);
    }
  }

  @Test
  @DisplayName("The same seed cuts connections at the same messages, another one elsewhere")
  void cutProbability() {
    List<List<Integer>> runs = new ArrayList<>();
    for (int seed : new int[] {1, 1, 2}) {
      try (VerbsBed bed = bed(new JsonObject().put("seed", seed).put("cutProbability", 0.2))) {
        List<Integer> counts = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
          counts.add(arrivedUntilCut(bed).size());
        }
        runs.add(counts);
      }
    }
    assertThat(runs.get(0)).isEqualTo(runs.get(1)).isNotEqualTo(runs.get(2));
    assertThat(new HashSet<>(runs.get(0))).as("connections are cut at different messages").hasSizeGreaterThan(1);
  }

  @Test
  @DisplayName("Messages are on their way for as long as is asked for, and do not overtake each other")
  void delays() {
    try (VerbsBed bed = bed(new JsonObject().put("minDelayMillis", 40).put("maxDelayMillis", 45))) {
      Peer server = bed.server();
      for (int i = 0; i < 50; i++) {
        server.receive(i, 8);
      }
      VerbsBed.Pair pair = bed.connect(bed.client(), server);
      LocalMemory memory = pair.client().memory(8);
      long before = System.nanoTime();
      pair.client().post(client -> {
        for (int i = 0; i < 50; i++) {
          client.postSend(i, memory, 0, 8);
        }
      });
      List<Long> ids = LongStream.range(0, 50).map(i -> server.handler().completion(Opcode.RECEIVE).id())
          .boxed().toList();
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(40));
      assertThat(ids).isEqualTo(LongStream.range(0, 50).boxed().toList());
    }
  }

  @Test
  @DisplayName("Connects find nobody as probably as is asked for, the same ones for the same seed")
  void refuseProbability() {
    List<List<Boolean>> runs = new ArrayList<>();
    for (int seed : new int[] {1, 1, 2}) {
      try (VerbsBed bed = bed(new JsonObject().put("seed", seed).put("refuseProbability", 0.5))) {
        VerbsListener listener =
            bed.listen(request -> bed.accept(request, bed.server(), ConnectionOptions.DEFAULT));
        List<Boolean> refused = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          Throwable failure = Waiting.outcome(
              bed.connect(listener.localAddress(), bed.client(), ConnectionOptions.DEFAULT));
          refused.add(failure instanceof VerbsException e && e.kind() == VerbsException.Kind.UNREACHABLE);
        }
        runs.add(refused);
      }
    }
    assertThat(runs.get(0)).contains(true, false).isEqualTo(runs.get(1)).isNotEqualTo(runs.get(2));
  }
}
