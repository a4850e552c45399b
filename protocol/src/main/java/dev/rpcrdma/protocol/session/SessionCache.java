// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import dev.rpcrdma.protocol.requester.XidSlots;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.time.Deadlines;

/**
 * The duplicate request cache of a session: of a caller that gives its calls XIDs by the slots which this
 * end has announced ({@link XidSlots}).
 *
 * <p><b>Why nothing is evicted too early.</b> There is one entry for each slot, from the verdict on who calls, before
 * anything is pulled but the head of a Long call. A caller uses a slot for another call only when the call before is
 * over, so that an entry ends when another XID comes in its slot, and at no other time. A call that takes
 * very long costs its slot, and nobody else anything.
 *
 * <p><b>What comes late.</b> The numbers of a slot rise. A lower one is of a call that is over: somebody on the path
 * has held it back, and RPCSEC_GSS cannot tell, since its sequence number was not there before. It is not executed.
 *
 * <p><b>What it relies on.</b> No message of an earlier connection counts when a later one has been
 * accepted ({@link dev.rpcrdma.protocol.connection.ConnectionMachine#fence}); and both ends begin anew
 * together ({@link Session}, {@link ClientSession}).
 */
public final class SessionCache extends DuplicateRequestCache {

  /** A call is known to be late by so many numbers of its slot; the sequence windows of contexts are no longer. */
  private static final int MOST_LATE = 1 << 12;

  private final int slotBits;
  private final Entry[] slots;

  /**
   * Creates an empty cache.
   *
   * @param slotBits as this end announces
   * @param deadlines ends executions whose connection is lost
   * @param maxBytes how much of replies to keep
   * @param maxLargeBytes how much of those that are each larger than that
   */
  public SessionCache(int slotBits, Deadlines deadlines, long maxBytes, long maxLargeBytes) {
    super(deadlines, maxBytes, maxLargeBytes);
    this.slotBits = slotBits;
    this.slots = new Entry[1 << slotBits];
  }

  private int slot(int xid) {
    return xid & slots.length - 1;
  }

  @Override
  public boolean arrived(IncomingCall call, long now) {
    int slot = slot(call.xid());
    Entry entry = slots[slot];
    if (entry != null && entry.xid() == call.xid() && !entry.forgotten()) {
      entry.again(call);
      return false;
    }
    if (entry != null && isLate(call.xid(), entry.xid())) {
      call.replyGone();
      return false;
    }
    if (entry == null || !entry.reuse(call.xid())) {
      entry = new Entry(call.xid());
      slots[slot] = entry;
    }
    entry.follow(call);
    return true;
  }

  private boolean isLate(int xid, int last) {
    int behind = last - xid >>> slotBits;
    return behind > 0 && behind <= MOST_LATE;
  }

  @Override
  public boolean admit(IncomingCall call, boolean repeatable, long now) {
    if (!(call.record() instanceof Entry entry)) {
      return true;
    }
    if (entry.forgotten()) {
      // Its slot has another call by now: its caller is gone, or does not keep to the rules.
      call.replyGone();
      return false;
    }
    entry.executing(repeatable);
    return true;
  }

  @Override
  public int size() {
    int size = 0;
    for (Entry entry : slots) {
      size += entry == null || entry.forgotten() ? 0 : 1;
    }
    return size;
  }

  @Override
  public void clear() {
    super.clear();
    for (int slot = 0; slot < slots.length; slot++) {
      if (slots[slot] != null) {
        slots[slot].forget();
        // Its caller begins with other numbers.
        slots[slot] = null;
      }
    }
  }
}
