// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.ibverbs.FakeFabric;
import dev.rpcrdma.ibverbs.FakeFabric.Kind;
import dev.rpcrdma.ibverbs.NeedsRdmaHeaders;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How often a device is rung for. */
@NeedsRdmaHeaders
class DoorbellsTest {

  private static final int MESSAGES = 16;
  private static final int LENGTH = 64;

  @RegisterExtension
  final FakeFabric fabric = new FakeFabric(Kind.ROCE);

  private long calls(String function) {
    return fabric.control().fakeCalls(function);
  }

  /**
   * Fails if {@code IbverbsSendQueue.submit} or {@code IbverbsReceiveQueue.submit} gives the device one request at a
   * time.
   */
  @ParameterizedTest
  @EnumSource
  @DisplayName("What is posted in one turn goes to the device in one chain for each queue")
  void chains(Kind kind) {
    fabric.reset(kind);
    try (VerbsBed bed = fabric.bed(new JsonObject().put("nudgeMillis", 0))) {
      Peer server = bed.server();
      LocalMemory inbox = server.memory(MESSAGES * LENGTH);
      server.onSetup(created -> {
        for (int i = 0; i < MESSAGES; i++) {
          created.postReceive(i, inbox, i * LENGTH, LENGTH);
        }
      });
      VerbsBed.Pair pair = bed.connect(bed.client(), server);
      assertThat(fabric.control().fakeReceives()).isEqualTo(MESSAGES);
      assertThat(calls("ibv_post_recv")).isEqualTo(1);
      LocalMemory source = pair.client().memory(LENGTH);
      long sends = calls("ibv_post_send");
      pair.client().post(owned -> {
        for (int i = 0; i < MESSAGES; i++) {
          owned.postSend(i, source, 0, LENGTH);
        }
      });
      for (int i = 0; i < MESSAGES; i++) {
        server.handler().completion(Opcode.RECEIVE);
        assertThat(pair.client().handler().completion(Opcode.SEND).id()).isEqualTo(i);
      }
      assertThat(calls("ibv_post_send") - sends).isEqualTo(1);
    }
  }
}
