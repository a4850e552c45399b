package dev.rpcrdma.protocol.channel;

import java.util.ArrayList;
import java.util.List;

/** The calls of a channel that have no outcome: a list in the order in which they were made. */
final class ChannelCalls {

  private ChannelCall first;
  private ChannelCall last;
  private int size;

  int size() {
    return size;
  }

  void add(ChannelCall call) {
    call.previous = last;
    if (last == null) {
      first = call;
    } else {
      last.next = call;
    }
    last = call;
    call.listed = true;
    size++;
  }

  /** Takes a call out; tells whether it was in. */
  boolean remove(ChannelCall call) {
    if (!call.listed) {
      return false;
    }
    if (call.previous == null) {
      first = call.next;
    } else {
      call.previous.next = call.next;
    }
    if (call.next == null) {
      last = call.previous;
    } else {
      call.next.previous = call.previous;
    }
    call.previous = null;
    call.next = null;
    call.listed = false;
    size--;
    return true;
  }

  /** Those that wait for a connection, in the order in which they were made. */
  List<ChannelCall> waiting() {
    List<ChannelCall> waiting = new ArrayList<>();
    for (ChannelCall call = first; call != null; call = call.next) {
      if (call.waiting()) {
        waiting.add(call);
      }
    }
    return waiting;
  }
}
