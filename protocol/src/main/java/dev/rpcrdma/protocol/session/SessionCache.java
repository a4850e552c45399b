package dev.rpcrdma.protocol.session;

import dev.rpcrdma.protocol.requester.XidSlots;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.time.Deadlines;

/**
 * The duplicate request cache of a session: of a caller that gives its calls XIDs by the slots which this
 * end has announced ({@link XidSlots}).
 *
 * <p><b>Why nothing is evicted too early.</b> There is one entry for each slot, from the arrival of the
 * header, before anything is pulled. A caller uses a slot for another call only when the call before is
 * over, so that an entry ends when another XID comes in its slot, and at no other time. A call that takes
 * very long costs its slot, and nobody else anything.
 *
 * <p><b>What it relies on.</b> No message of an earlier connection counts when a later one has been
 * accepted ({@link dev.rpcrdma.protocol.connection.ConnectionMachine#fence}); and both ends begin anew
 * together ({@link Session}, {@link ClientSession}).
 */
public final class SessionCache extends DuplicateRequestCache {

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
      return entry.again(call);
    }
    if (entry == null || !entry.reuse(call.xid())) {
      entry = new Entry(call.xid());
      slots[slot] = entry;
    }
    entry.follow(call);
    return true;
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
    for (Entry entry : slots) {
      if (entry != null) {
        entry.forget();
      }
    }
  }
}
