// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What a connection waits for when it is closed. */
class DrainTest {

  private static final String INLINE_CALL =
      "00000007 00000001 00000010 00000000" + MachineBed.NO_LISTS + "00000007" + MachineBed.CALL;
  private static final String REPLY = " 00000001 00000000 00000000 00000000 00000000";

  private final MachineBed bed = new MachineBed(false);

  private void close() {
    bed.machine.close(bed.now);
    bed.settle();
  }

  @Test
  void endsAtOnceIfNothingIsUnderWay() {
    close();
    assertThat(bed.disconnected).isEqualTo("Closed");
    bed.checkAtRest();
  }

  @Test
  void aCallThatIsServedIsAnsweredFirstAndItsReplyHasLeft() {
    bed.receive(INLINE_CALL);
    close();
    bed.held = true;
    bed.incoming.get(0).reply(XdrEncoder.VOID);
    assertThat(bed.sent).hasSize(1);
    assertThat(bed.disconnected).as("the Send has not completed").isEmpty();
    bed.answer();
    assertThat(bed.disconnected).isEqualTo("Closed");
  }

  @Test
  void aReplyWhoseItemIsReleasedOnceTooOftenHasLeft() {
    bed.receive(INLINE_CALL);
    bed.held = true;
    bed.incoming.get(0).reply(writer -> writer.dataItem(new ReleasedByOthers()));
    close();
    bed.answer();
    assertThat(bed.disconnected).isEqualTo("Closed");
  }

  /** Has an owner while its reply is made, and has none when that has left. */
  private static final class ReleasedByOthers implements DataItem {

    private int owners;

    @Override
    public int length() {
      return 4;
    }

    @Override
    public void copyTo(ByteBuffer target) {
      target.putInt(1);
    }

    @Override
    public boolean tryRetain() {
      owners++;
      return true;
    }

    @Override
    public boolean tryRelease() {
      return --owners >= 0;
    }
  }

  @Test
  void anErrorThatIsOnItsWayHasLeft() {
    bed.held = true;
    bed.receive("00000007 00000002 00000010 00000000" + MachineBed.NO_LISTS);
    assertThat(bed.sent).hasSize(1);
    close();
    assertThat(bed.disconnected).isEmpty();
    bed.answer();
    assertThat(bed.disconnected).isEqualTo("Closed");
  }

  @Test
  void aCallThatWasMadeHasItsReply() {
    MachineBed.Heard outcome = bed.call(0);
    close();
    assertThat(bed.disconnected).isEmpty();
    bed.receive("51000000 00000001 00000003 00000000" + MachineBed.NO_LISTS + "51000000" + REPLY);
    assertThat(outcome.events).containsExactly("reply ");
    assertThat(bed.disconnected).isEqualTo("Closed");
    bed.checkAtRest();
  }

  @Test
  void doesNotWaitForEver() {
    MachineBed.Heard outcome = bed.call(0);
    close();
    bed.now += 2 * MachineBed.SECOND;
    bed.deadlines.advance(bed.now);
    bed.settle();
    assertThat(bed.disconnected).isEqualTo("The connection was closed before all calls had ended");
    assertThat(outcome.events).containsExactly("CONNECTION_LOST");
    bed.checkAtRest();
  }

  /** Fails if {@code Requester.drain} leaves the queue as it is. */
  @Test
  void aCallThatWaitsIsNotSentWhenAnotherOneHasItsReply() {
    MachineBed.Heard first = bed.call(0);
    MachineBed.Heard waiting = bed.call(0);
    close();
    assertThat(waiting.events).containsExactly("CLOSED");
    bed.receive("51000000 00000001 00000003 00000000" + MachineBed.NO_LISTS + "51000000" + REPLY);
    assertThat(first.events).containsExactly("reply ");
    assertThat(waiting.events).hasSize(1);
    assertThat(bed.sent).hasSize(1);
    assertThat(bed.disconnected).isEqualTo("Closed");
    bed.checkAtRest();
  }

  @Test
  void aReplyThatFitsNowhereReleasesItsItems() {
    bed.receive(INLINE_CALL);
    SimulatedMemory.AppItem item = new SimulatedMemory.AppItem(new byte[2000]);
    bed.incoming.get(0).reply(writer -> writer.dataItem(item));
    bed.settle();
    assertThat(item.owners).isZero();
    close();
    assertThat(bed.disconnected).isEqualTo("Closed");
  }
}
