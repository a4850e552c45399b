package dev.rpcrdma.protocol.responder;

import java.util.ArrayList;
import java.util.List;

/**
 * The peer's calls that are being served. Each knows its place, so that one comes and goes without a
 * search, and without anything being allocated for it.
 */
final class ActiveCalls {

  private final List<IncomingCall> calls = new ArrayList<>();

  int size() {
    return calls.size();
  }

  boolean isEmpty() {
    return calls.isEmpty();
  }

  void add(IncomingCall call) {
    call.place = calls.size();
    calls.add(call);
  }

  /** Takes a call out, unless it is out already. */
  void remove(IncomingCall call) {
    if (call.place < 0) {
      return;
    }
    IncomingCall last = calls.remove(calls.size() - 1);
    if (last != call) {
      calls.set(call.place, last);
      last.place = call.place;
    }
    call.place = -1;
  }

  /** A copy of the list. */
  List<IncomingCall> all() {
    return List.copyOf(calls);
  }
}
