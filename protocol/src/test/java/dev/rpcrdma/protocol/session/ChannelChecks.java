// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import dev.rpcrdma.protocol.binding.Replay;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.requester.CallHead;
import dev.rpcrdma.protocol.requester.CallListener;
import dev.rpcrdma.protocol.requester.LineCall;
import dev.rpcrdma.protocol.requester.OutboundCall;
import dev.rpcrdma.protocol.requester.Outcome;
import dev.rpcrdma.protocol.requester.Outcome.Kind;
import dev.rpcrdma.protocol.requester.Said;
import dev.rpcrdma.protocol.requester.TestCall;
import dev.rpcrdma.protocol.requester.XidSlots;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.InstanceId;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** A channel, and a test in place of its connections. */
abstract class ChannelChecks {

  static final long FOREVER = Long.MAX_VALUE - 1;
  static final Optional<InstanceId> SESSION = Optional.of(new InstanceId(1, 2));
  static final Optional<InstanceId> OTHER = Optional.of(new InstanceId(1, 3));

  static final int SLOT_BITS = 4;
  /** XIDs begin at 1600, and are told as 100 and so on; those of the next session as 116 and so on. */
  static final int BASE = 1500;
  static final int FIRST = 1600;

  XidSlots xids = new XidSlots(SLOT_BITS, FIRST);
  /** Procedures that the peer has not said it serves. */
  final Set<Integer> awaited = new HashSet<>();
  final List<String> events = new ArrayList<>();
  final Map<Integer, LineCall> onLine = new LinkedHashMap<>();
  /** Calls that any line has sent. */
  final Set<LineCall> sent = new HashSet<>();
  Optional<InstanceId> lastSession = Optional.empty();
  int restarts;
  int connects;
  /** Whether calls have other peers to go to. */
  boolean elsewhere;
  Deadlines deadlines;
  ChannelMachine channel = channel(Replay.SAFE, 3);

  ChannelMachine channel(Replay replay, int attempts) {
    xids = new XidSlots(SLOT_BITS, FIRST);
    lastSession = Optional.empty();
    restarts = 0;
    onLine.clear();
    deadlines = new Deadlines();
    return new ChannelMachine(new ChannelSettings(replay, 3, attempts, 1000, 4000),
        () -> connects++, deadlines, new Random(1), () -> elsewhere);
  }

  ChannelCall call(String name, boolean readOnly, long deadline) {
    return call(name, Repetition.of(readOnly, false, false), deadline);
  }

  ChannelCall call(String name, Repetition repetition, long deadline) {
    TestCall call = new TestCall(Said.nothing(0), new CallListener() {
          @Override
          public void replied(XdrReader results) {
            events.add(name + " replied");
          }

          @Override
          public void rejected(ReplyHeader header) {
            events.add(name + " rejected");
          }

          @Override
          public void failed(Outcome.Failed failure) {
            events.add(name + " " + failure.kind() + (failure.sent() ? " sent" : ""));
          }
        });
    return channel.call(call, repetition, deadline);
  }

  void up(Optional<InstanceId> session) {
    up(session, 0);
  }

  void up(Optional<InstanceId> session, long now) {
    boolean same = session.equals(lastSession);
    channel.met(session, same);
    if (!same) {
      // As both ends do: no call of before can come again.
      xids.restart(SLOT_BITS, FIRST + (restarts++ << SLOT_BITS));
    }
    lastSession = session;
    channel.up(new TestLine(), now);
  }

  /** A connection that sends each call at once, and tells with which XID. */
  final class TestLine implements Line {

    @Override
    public void call(OutboundCall call, long deadline) {
      LineCall given = new LineCall(call);
      String again = sent.add(given) ? "" : " again";
      int xid = given.send(xids) - BASE;
      events.add("give " + xid + again);
      onLine.put(xid, given);
    }

    @Override
    public void cancel(OutboundCall call, long now) {
      LineCall given = new LineCall(call);
      if (onLine.values().remove(given)) {
        given.fail(Kind.CANCELLED);
      }
    }

    @Override
    public boolean takes(CallHead head) {
      return !awaited.contains(head.procedure());
    }
  }

  LineCall over(int xid) {
    return onLine.remove(xid);
  }

  void reply(int xid) {
    over(xid).reply(new XdrReader(ByteBuffer.allocate(0)));
  }

  /** The connection tells all its calls, and then its end. */
  void lose(boolean sent, long now) {
    new TreeMap<>(onLine).forEach((xid, call) -> {
      onLine.remove(xid);
      call.lose(sent);
    });
    channel.lost(now);
  }

  List<String> events() {
    List<String> all = List.copyOf(events);
    events.clear();
    return all;
  }
}
