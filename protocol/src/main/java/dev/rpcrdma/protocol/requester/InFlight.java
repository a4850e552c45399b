// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import java.util.ArrayList;
import java.util.List;

/**
 * What was given an XID on one connection and has no answer, whether or not anybody waits for it: an array by
 * {@linkplain XidSlots slot}, in which no two can be in the same place.
 */
final class InFlight {

  private final XidSlots xids;
  private Outstanding[] bySlot = {};
  private int size;

  InFlight(XidSlots xids) {
    this.xids = xids;
  }

  int size() {
    return size;
  }

  int count(Class<? extends Outstanding> kind) {
    int count = 0;
    for (Outstanding message : bySlot) {
      count += kind.isInstance(message) ? 1 : 0;
    }
    return count;
  }

  void put(Outstanding message) {
    if (bySlot.length != xids.count() && size == 0) {
      bySlot = new Outstanding[xids.count()];
    }
    int slot = xids.slot(message.xid());
    if (bySlot[slot] != null) {
      throw new IllegalStateException("Slot " + slot + " is in use");
    }
    bySlot[slot] = message;
    size++;
  }

  /** What has that XID; null if nothing has. */
  Outstanding get(int xid) {
    int slot = xids.slot(xid);
    Outstanding message = slot < bySlot.length ? bySlot[slot] : null;
    return message != null && message.xid() == xid ? message : null;
  }

  /** Puts a message in the place of another one with the same XID. */
  void replace(Outstanding message, Outstanding by) {
    bySlot[xids.slot(message.xid())] = by;
  }

  /** Takes a message out, if it is in. */
  void remove(Outstanding message) {
    int slot = xids.slot(message.xid());
    if (slot < bySlot.length && bySlot[slot] == message) {
      bySlot[slot] = null;
      size--;
    }
  }

  /** Whether nobody waits for any answer. */
  boolean allGivenUp() {
    int left = size;
    for (int slot = 0; left > 0; slot++) {
      if (bySlot[slot] != null) {
        left--;
        if (bySlot[slot].owed()) {
          return false;
        }
      }
    }
    return true;
  }

  /** Takes out all messages of a kind. */
  <T extends Outstanding> List<T> removeAll(Class<T> kind) {
    List<T> all = new ArrayList<>();
    for (Outstanding message : bySlot) {
      if (kind.isInstance(message)) {
        all.add(kind.cast(message));
      }
    }
    all.forEach(this::remove);
    return all;
  }
}
