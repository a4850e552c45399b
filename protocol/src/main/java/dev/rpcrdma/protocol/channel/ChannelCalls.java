package dev.rpcrdma.protocol.channel;

import dev.rpcrdma.protocol.table.IntTable;
import java.util.ArrayList;
import java.util.List;

/**
 * The calls of a channel that have no outcome: by XID, and, linked through themselves, in the order in
 * which they were made.
 */
final class ChannelCalls {

  private final IntTable<ChannelCall> byXid = new IntTable<>();
  private ChannelCall first;
  private ChannelCall last;

  int size() {
    return byXid.size();
  }

  boolean isEmpty() {
    return byXid.isEmpty();
  }

  boolean contains(int xid) {
    return byXid.contains(xid);
  }

  void add(ChannelCall call) {
    byXid.put(call.xid(), call);
    call.before = last;
    if (last == null) {
      first = call;
    } else {
      last.behind = call;
    }
    last = call;
  }

  /** Takes a call out; tells whether it was in. */
  boolean remove(ChannelCall call) {
    if (!byXid.remove(call.xid(), call)) {
      return false;
    }
    if (call.before == null) {
      first = call.behind;
    } else {
      call.before.behind = call.behind;
    }
    if (call.behind == null) {
      last = call.before;
    } else {
      call.behind.before = call.before;
    }
    call.before = null;
    call.behind = null;
    return true;
  }

  /** Those that wait for a connection. */
  List<ChannelCall> waiting() {
    List<ChannelCall> waiting = new ArrayList<>();
    for (ChannelCall call = first; call != null; call = call.behind) {
      if (call.waiting()) {
        waiting.add(call);
      }
    }
    return waiting;
  }
}
