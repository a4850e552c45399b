// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.session.ForeignCache;
import dev.rpcrdma.protocol.session.SessionCache;
import dev.rpcrdma.protocol.time.Deadlines;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls that come again before their first appearance is answered, and connections that are fenced. */
class RepeatedMeanwhileTest extends RepeatedCallsChecks {

  @Test
  @DisplayName("R-159: a call that comes again while it is pulled is executed once: when the Reads are done,"
      + " or by what it brings itself if they are not")
  void repeatedWhilePulled() {
    for (boolean lost : new boolean[] {false, true}) {
      MachineBed first = MachineBed.remembering(MachineBed.newHistory());
      first.held = true;
      assertThat(executed(first, REDUCED)).isFalse();
      MachineBed second = MachineBed.remembering(first.history);
      assertThat(executed(second, REDUCED)).isFalse();
      assertThat(second.regions).as("the first one may still get there").isZero();
      if (lost) {
        first.lose("cut");
        second.settle();
        assertThat(second.incoming).hasSize(1);
      }
      late(first);
      assertThat(first.incoming.size() + second.incoming.size()).as("lost: %s", lost).isEqualTo(1);
      MachineBed executing = lost ? second : first;
      executing.incoming.get(0).reply(writer -> writer.int32(42));
      first.settle();
      second.settle();
      assertThat(second.takeSent()).singleElement().asString().endsWith("0000002a");
      assertThat(executed(second, REDUCED)).isFalse();
      assertThat(second.takeSent()).singleElement().asString().endsWith("0000002a");
      assertThat(first.regions + second.regions).isZero();
    }
  }

  @Test
  @DisplayName("R-159: over a fenced connection nothing is executed any more: no message, no Read, no memory"
      + " that comes late")
  void fenced() {
    for (int step = 0; step < 3; step++) {
      MachineBed first = MachineBed.remembering(MachineBed.newHistory());
      first.held = true;
      first.memoryHeld = step == 1;
      if (step > 0) {
        first.receive(REDUCED);
      }
      first.machine.fence("The client has connected anew");
      MachineBed second = MachineBed.remembering(first.history);
      assertThat(executed(second, REDUCED)).as("step %d", step).isTrue();
      second.incoming.get(0).reply(writer -> writer.int32(42));
      second.settle();
      second.takeSent();
      // The caller has its answer, and may have changed again what the call has changed.
      if (step == 0) {
        first.receive(REDUCED);
      } else if (step == 1) {
        first.releaseMemory();
      }
      late(first);
      assertThat(first.incoming).as("step %d", step).isEmpty();
      assertThat(first.sent).isEmpty();
      assertThat(first.disconnected).contains("connected anew");
      assertThat(first.regions + second.regions).isZero();
    }
  }

  @Test
  @DisplayName("A connection that is fenced before it is up never comes up")
  void fencedBefore() {
    MachineBed bed = MachineBed.notEstablished(MachineBed.newHistory());
    bed.machine.fence("The client has connected anew");
    bed.establish();
    bed.receive(INLINE);
    bed.settle();
    assertThat(bed.incoming).isEmpty();
    assertThat(bed.sent).isEmpty();
  }

  @Test
  @DisplayName("A call that has come again is answered over its connection when the other one has got the reply")
  void answeredOverBoth() {
    MachineBed first = MachineBed.remembering(MachineBed.newHistory());
    assertThat(executed(first, INLINE)).isTrue();
    assertThat(first.machine.activeCalls()).isEqualTo(1);
    MachineBed second = MachineBed.remembering(first.history);
    assertThat(executed(second, INLINE)).isFalse();
    assertThat(second.takeSent()).isEmpty();
    first.incoming.get(0).reply(writer -> writer.int32(42));
    first.settle();
    assertThat(first.takeSent()).hasSize(1);
    assertThat(second.takeSent()).hasSize(1);
    second.settle();
    second.checkAtRest();
  }

  @Test
  @DisplayName("A call whose first appearance is lost goes on over its connection, or is answered there that its"
      + " reply is gone")
  void goesOnElsewhere() {
    SessionCache history = new SessionCache(3, new Deadlines(), 0, 0);
    MachineBed first = MachineBed.remembering(history);
    first.held = true;
    assertThat(executed(first, REDUCED)).isFalse();
    MachineBed second = MachineBed.remembering(history);
    assertThat(executed(second, REDUCED)).isFalse();
    first.lose("cut");
    second.settle();
    second.incoming.get(0).reply(writer -> writer.int32(42));
    second.settle();
    assertThat(executed(second, REDUCED)).isFalse();
    assertThat(second.takeSent()).hasSize(2).last().isEqualTo(ERR_CHUNK);
    late(first);
  }

  /** Fails if {@code Responder.open} says so of a connection that is fenced. */
  @Test
  @DisplayName("R-159: over a connection that is fenced nothing goes on, also if the first appearance is lost")
  void fencedWhileItWaits() {
    MachineBed first = MachineBed.remembering(MachineBed.newHistory());
    first.held = true;
    assertThat(executed(first, REDUCED)).isFalse();
    MachineBed second = MachineBed.remembering(first.history);
    assertThat(executed(second, INLINE)).isFalse();
    second.held = true;
    second.machine.fence("the client has another connection");
    first.lose("cut");
    second.held = false;
    second.settle();
    assertThat(second.incoming).isEmpty();
    assertThat(executed(MachineBed.remembering(first.history), INLINE)).isTrue();
    late(first);
  }

  @Test
  @DisplayName("What was pulled for a repetition is freed while it waits for its first")
  void waitersHoldNothing() {
    MachineBed bed = MachineBed.remembering(
        new ForeignCache(4, MachineBed.SECOND, new Deadlines(), 1 << 20));
    String call = REDUCED.replace("00013880", "00000008");
    assertThat(executed(bed, call)).isTrue();
    assertThat(executed(bed, call)).isFalse();
    assertThat(bed.regions).as("that of the call that is executed").isEqualTo(1);
    bed.endServices();
    assertThat(bed.takeSent()).hasSize(2);
    bed.checkAtRest();
  }

  @Test
  @DisplayName("Whoever has repeated a call over a connection that is lost is not kept")
  void waitersOfLostConnections() {
    MachineBed first = MachineBed.remembering(MachineBed.newHistory());
    assertThat(executed(first, INLINE)).isTrue();
    List<WeakReference<MachineBed>> beds = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      MachineBed bed = MachineBed.remembering(first.history);
      beds.add(new WeakReference<>(bed));
      assertThat(executed(bed, INLINE)).isFalse();
      bed.lose("cut");
    }
    for (int i = 0; i < 100 && kept(beds) > 1; i++) {
      System.gc();
    }
    assertThat(kept(beds)).as("but for the last one").isLessThanOrEqualTo(1);
    first.endServices();
  }

  private static long kept(List<WeakReference<MachineBed>> beds) {
    return beds.stream().filter(bed -> bed.get() != null).count();
  }

  /** Fails if {@code Responder.succeed} does not ask whether the connection counts. */
  @Test
  @DisplayName("R-159: a call that is to take the place of its first does not, if its connection is fenced meanwhile")
  void fencedSuccessor() {
    MachineBed first = MachineBed.remembering(MachineBed.newHistory());
    first.held = true;
    first.receive(REDUCED);
    MachineBed second = MachineBed.remembering(first.history);
    second.steps = new ArrayList<>();
    // As small as may be: what has to be pulled is looked at once more.
    second.receive(INLINE);
    first.lose("cut");
    late(first);
    assertThat(second.steps).hasSize(1);
    second.machine.fence("The client has connected anew");
    second.steps.get(0).run();
    late(second);
    assertThat(second.incoming).isEmpty();
    assertThat(first.regions + second.regions).isZero();
  }
}
