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
import dev.rpcrdma.verbs.WorkCompletion.Status;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A peer whose siw accepts in two steps, and between them looks at nothing that comes. */
@DisplayName("An overlooked message")
@NeedsRdmaHeaders
class OverlookedMessageTest {

  private static final int LENGTH = 64;

  @RegisterExtension
  final FakeFabric fabric = new FakeFabric(Kind.SIW);

  /**
   * Fails without {@code Connecting.nudgeMillis}, or without {@code EmptyWriteProbe.begin} in {@code
   * IbverbsConnection.open}.
   */
  @Test
  @DisplayName("The first message of a connection arrives though the peer has overlooked it")
  void arrives() {
    fabric.control().fakeOverlook();
    try (VerbsBed bed = fabric.bed()) {
      Peer server = bed.server();
      LocalMemory inbox = server.memory(LENGTH);
      server.onSetup(created -> created.postReceive(1, inbox, 0, LENGTH));
      VerbsBed.Pair pair = bed.connect(bed.client(), server);
      LocalMemory source = pair.client().memory(LENGTH);
      pair.client().post(owned -> owned.postSend(2, source, 0, LENGTH));
      assertThat(server.handler().completion(Opcode.RECEIVE).status()).isEqualTo(Status.SUCCESS);
      assertThat(pair.client().handler().completion(Opcode.SEND).id()).isEqualTo(2);
    }
  }
}
