package dev.rpcrdma.protocol.channel;

import dev.rpcrdma.protocol.table.IntTable;
import java.util.Comparator;
import java.util.List;

/**
 * The calls of a channel that have no outcome: by XID, and numbered in the order in which they were made,
 * which is asked for only when a connection has been lost.
 */
final class ChannelCalls {

  private final IntTable<ChannelCall> byXid = new IntTable<>();
  private long turns;

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
    call.turn = turns++;
    byXid.put(call.xid(), call);
  }

  /** Takes a call out; tells whether it was in. */
  boolean remove(ChannelCall call) {
    return byXid.remove(call.xid(), call);
  }

  /** Those that wait for a connection, in the order in which they were made. */
  List<ChannelCall> waiting() {
    List<ChannelCall> waiting = byXid.all();
    waiting.removeIf(call -> !call.waiting());
    waiting.sort(Comparator.comparingLong(call -> call.turn));
    return waiting;
  }
}
