// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class InFlightTest {

  private final XidSlots xids = new XidSlots(2, 0x1000);
  private final InFlight inFlight = new InFlight(xids);

  private static class Message implements Outstanding {

    private final int xid;
    private boolean owed = true;

    Message(int xid) {
      this.xid = xid;
    }

    @Override
    public int xid() {
      return xid;
    }

    @Override
    public boolean owed() {
      return owed;
    }
  }

  private static final class Other extends Message {

    Other(int xid) {
      super(xid);
    }
  }

  @Test
  @DisplayName("R-222: another XID in the slot of a message is not its own")
  void sameSlot() {
    assertThat(inFlight.get(0x1000)).isNull();
    Message message = new Message(0x1001);
    inFlight.put(message);
    assertThat(inFlight.get(0x1001)).isSameAs(message);
    assertThat(inFlight.get(0x1005)).isNull();
    assertThat(inFlight.get(0x0001)).isNull();
    assertThat(inFlight.get(0x1002)).isNull();
    inFlight.remove(new Message(0x1001));
    assertThat(inFlight.get(0x1001)).as("another one was taken out").isSameAs(message);
    assertThatThrownBy(() -> inFlight.put(new Message(0x1005))).isInstanceOf(IllegalStateException.class);
    assertThat(inFlight.size()).isEqualTo(1);
    inFlight.remove(message);
    inFlight.remove(message);
    assertThat(inFlight.size()).isZero();
    assertThat(inFlight.get(0x1001)).isNull();
  }

  @Test
  @DisplayName("Kinds are counted, and taken out, by themselves")
  void kinds() {
    Message first = new Message(0x1000);
    Other second = new Other(0x1001);
    inFlight.put(first);
    inFlight.put(second);
    assertThat(inFlight.count(Other.class)).isEqualTo(1);
    assertThat(inFlight.count(Message.class)).isEqualTo(2);
    assertThat(inFlight.allGivenUp()).isFalse();
    first.owed = false;
    assertThat(inFlight.allGivenUp()).isFalse();
    ((Message) second).owed = false;
    assertThat(inFlight.allGivenUp()).isTrue();
    assertThat(inFlight.removeAll(Other.class)).containsExactly(second);
    assertThat(inFlight.size()).isEqualTo(1);
    assertThat(inFlight.get(0x1000)).isSameAs(first);
  }

  @Test
  @DisplayName("A peer that remembers more calls than the one before has room for them")
  void moreSlots() {
    inFlight.put(new Message(0x1003));
    inFlight.removeAll(Message.class);
    xids.restart(4, 0x2000);
    Message last = new Message(0x200f);
    inFlight.put(last);
    assertThat(inFlight.get(0x200f)).isSameAs(last);
    assertThat(inFlight.get(0x2003)).isNull();
  }
}
