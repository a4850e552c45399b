// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import java.util.Arrays;

/**
 * The XIDs of one end's calls to one peer, whatever connections they travel over. An XID is a counter and
 * the number of a slot:
 *
 * <pre>  counter (32 − k bits) | slot (k bits)  </pre>
 *
 * <p>A call takes a free slot when it is first sent, and keeps slot and XID until its reply has come, or
 * until its connection is lost and nobody wants its outcome any more. So no XID is used again while its
 * call is outstanding, and a peer that remembers one call for each slot has forgotten no call that
 * can still be repeated: another XID in a slot tells it that the call before is over.
 *
 * <p>Each slot has a counter of its own, which goes on as long as the peer's memory lasts: an XID comes back
 * only after 2^(32 − k) calls in the same slot. Slots are used in turn, so that the XIDs of calls that
 * follow each other are apart as far as can be for peers that know nothing of slots.
 */
public final class XidSlots {

  private int bits;
  /** By slot: the counter of its next XID. */
  private int[] counters;
  /** A ring of free slots. */
  private int[] free;
  private int oldest;
  private int available;

  /**
   * Begins with all slots free.
   *
   * @param slotBits k: there are 2^k slots, at least 1
   * @param firstXid where to begin, best at random, so that a restarted caller is not taken for itself
   */
  public XidSlots(int slotBits, int firstXid) {
    reset(slotBits, firstXid);
  }

  /**
   * How many slot bits an end that grants so many credits has to announce: a call whose caller has given
   * up, or that waits to be sent again, keeps its slot without keeping a credit of the next connection.
   *
   * @param credits calls in flight at once
   * @return the least k with 2^k ≥ 2 · credits
   */
  public static int bitsFor(int credits) {
    return 32 - Integer.numberOfLeadingZeros(2 * credits - 1);
  }

  /**
   * The peer's memory begins anew.
   *
   * @param slotBits what the peer announces
   * @param firstXid where to begin
   * @throws IllegalStateException if a slot is in use
   */
  public void restart(int slotBits, int firstXid) {
    if (available != counters.length) {
      throw new IllegalStateException((counters.length - available) + " slots are in use");
    }
    reset(slotBits, firstXid);
  }

  private void reset(int slotBits, int firstXid) {
    bits = slotBits;
    counters = new int[1 << slotBits];
    Arrays.fill(counters, firstXid >>> slotBits);
    free = new int[counters.length];
    Arrays.setAll(free, slot -> slot);
    oldest = 0;
    available = free.length;
  }

  /**
   * How many slots there are.
   *
   * @return 2^k
   */
  public int count() {
    return counters.length;
  }

  /**
   * The slot of an XID.
   *
   * @param xid any
   * @return 0 to {@link #count()} − 1
   */
  public int slot(int xid) {
    return xid & counters.length - 1;
  }

  /**
   * How many slots are free.
   *
   * @return at least 1 if {@link #take} may be called
   */
  public int available() {
    return available;
  }

  /**
   * How many slots are taken.
   *
   * @return a count
   */
  public int inUse() {
    return counters.length - available;
  }

  /**
   * Takes a free slot.
   *
   * @return the XID of a call that has not been sent before
   */
  public int take() {
    if (available == 0) {
      throw new IllegalStateException("All " + counters.length + " slots are in use");
    }
    int slot = free[oldest];
    oldest = oldest + 1 & free.length - 1;
    available--;
    return counters[slot]++ << bits | slot;
  }

  /**
   * Returns an XID for a call that the peer does not remember, and that takes no slot.
   *
   * @return the XID of no other call
   */
  public int next() {
    int slot = free[oldest];
    return counters[slot]++ << bits | slot;
  }

  /**
   * Gives a slot back: its call is over.
   *
   * @param xid as {@link #take} gave it
   */
  public void free(int xid) {
    if (available == counters.length) {
      throw new IllegalStateException("No slot is in use");
    }
    free[oldest + available++ & free.length - 1] = slot(xid);
  }
}
