// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.CALL;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;

/**
 * A server's machine against a peer that builds its own headers. Whatever the peer does, the connection serves
 * the next call or has ended, and nothing is left of the peer's.
 */
abstract class ResponderChecks {

  static final String GOOD =
      "11111111 00000001 00000020 00000000 00000000 00000000 00000000 11111111" + CALL;
  static final String ERR_CHUNK = "11111111 00000001 00000003 00000004 00000002";

  final MachineBed bed = new MachineBed(false);

  @AfterEach
  final void theConnectionStillServesUnlessItWasEnded() {
    if (bed.disconnected.isEmpty()) {
      bed.takeSent();
      bed.incoming.clear();
      bed.receive(GOOD);
      assertThat(bed.incoming).hasSize(1);
      bed.incoming.get(0).reply(writer -> writer.int32(7));
      bed.settle();
      assertThat(bed.takeSent()).containsExactly("11111111 00000001 00000003 00000000 00000000"
          + " 00000000 00000000 11111111 00000001 00000000 00000000 00000000 00000000 00000007");
    }
    assertThat(bed.exposures()).as("a responder exposes nothing").isZero();
    assertThat(bed.regions).as("regions").isZero();
    assertThat(bed.deadlines.next()).as("deadlines").isEqualTo(Long.MAX_VALUE);
  }

  void answered(String hex, String answer) {
    bed.receive(hex);
    assertThat(bed.takeSent()).containsExactly(answer);
    assertThat(bed.incoming).isEmpty();
  }
}
