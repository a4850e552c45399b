// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** XIDs, and the slots that their low bits name. */
class XidSlotsTest {

  @Test
  @DisplayName("There are at least twice as many slots as credits, and no more bits than that takes")
  void bits() {
    for (int credits = 1; credits <= 4096; credits++) {
      int bits = XidSlots.bitsFor(credits);
      assertThat(1 << bits).isGreaterThanOrEqualTo(2 * credits).isLessThan(4 * credits);
    }
  }

  @Test
  @DisplayName("R-222: no two calls at a time have one slot, and no XID comes back before its slot has wrapped")
  void unique() {
    XidSlots slots = new XidSlots(2, 0x7ffffff0);
    Set<Integer> xids = new HashSet<>();
    int[] held = new int[4];
    for (int round = 0; round < 100; round++) {
      Set<Integer> used = new HashSet<>();
      for (int i = 0; i < held.length; i++) {
        held[i] = slots.take();
        assertThat(used.add(held[i] & 3)).isTrue();
        assertThat(xids.add(held[i])).isTrue();
      }
      assertThat(slots.available()).isZero();
      assertThat(slots.inUse()).isEqualTo(4);
      for (int i = held.length - 1; i >= 0; i--) {
        slots.free(held[i]);
      }
      assertThat(slots.inUse()).isZero();
    }
  }

  @Test
  @DisplayName("A slot that is never free again leaves the others to be used")
  void oneIsKept() {
    XidSlots slots = new XidSlots(1, 6);
    assertThat(slots.take()).isEqualTo(6);
    for (int counter = 3; counter < 30; counter++) {
      int xid = slots.take();
      assertThat(xid).isEqualTo(counter << 1 | 1);
      slots.free(xid);
    }
  }

  @Test
  @DisplayName("What is used wrongly is noticed")
  void misuse() {
    XidSlots slots = new XidSlots(1, 0);
    assertThatThrownBy(() -> slots.free(0)).isInstanceOf(IllegalStateException.class);
    int xid = slots.take();
    assertThatThrownBy(() -> slots.restart(2, 0)).isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("1 slots");
    slots.take();
    assertThatThrownBy(slots::take).isInstanceOf(IllegalStateException.class);
    slots.free(xid);
    slots.free(xid | 1);
    slots.restart(2, 64);
    assertThat(slots.take()).isEqualTo(64);
  }
}
