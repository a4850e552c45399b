// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.requester.Outcome;
import dev.rpcrdma.protocol.requester.Said;
import dev.rpcrdma.protocol.requester.TestCall;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Many calls that wait for a credit, and cannot be sent when they get it. */
class WaitingCallsTest {

  /** More than a thread's stack has room for, if each is handled inside of the one before. */
  private static final int CALLS = 4096;

  @Test
  @DisplayName("R-154: calls that find no memory fail one after the other, each with its outcome")
  void noMemoryForAnyOfThem() {
    MachineBed bed = new MachineBed(true);
    bed.call(4);
    List<Outcome.Kind> failures = new ArrayList<>();
    Said said = Said.of(new XdrWriter().fixedOpaque(new byte[2000]), List.of(), 4);
    for (int i = 0; i < CALLS; i++) {
      // As of another connection, whose calls are taken on whatever the length of the queue.
      FailedListener listener = failure -> failures.add(failure.kind());
      bed.machine.call(new TestCall(said, listener).again().carried(), bed.now + MachineBed.SECOND);
    }
    bed.memoryFails = true;
    bed.receive("51000000 00000001 00000003 00000000" + MachineBed.NO_LISTS
        + "51000000 00000001 00000000 00000000 00000000 00000000");
    assertThat(failures).hasSize(CALLS).containsOnly(Outcome.Kind.RESOURCES);
    bed.checkAtRest();
  }
}
