// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.mutants;

import java.util.List;

/** The bugs that the simulation must find. */
final class Mutants {

  private static final Mutant REMEMBERED_WHOLE =
      new Mutant("a call is remembered only when it is whole", "session.SessionCache",
          "    if (entry == null || !entry.reuse(call.xid())) {", "    {")
          .and("session.SessionCache", "      slots[slot] = entry;\n", "")
          .and("session.SessionCache", "    entry.executing(repeatable);\n",
              "    Entry first = slots[slot(call.xid())];\n"
                  + "    if (first != null && first.xid() == call.xid()) {\n"
                  + "      first.again(call);\n      return false;\n    }\n"
                  + "    slots[slot(call.xid())] = entry;\n    entry.executing(repeatable);\n");

  private static final Mutant SENT_TO_FORGETFUL =
      new Mutant("calls are sent again to a server that has forgotten them",
          "session.ChannelCall", "session.isPresent() && session.equals(to)",
          "session.isPresent() && to.isPresent()");

  static final List<Mutant> ALL = List.of(
      new Mutant("what the peer asks for is taken for what it grants", "requester.Requester",
          "  /** Whether one more message may be sent that takes a Receive",
          "  public void grant(int granted) {\n    credits.grant(granted);\n  }\n\n"
              + "  /** Whether one more message may be sent that takes a Receive")
          .and("connection.MessageRouter",
              "    switch (direction(lists, inline, message)) {",
              "    requester.grant(RawHeader.credits(message));\n"
                  + "    switch (direction(lists, inline, message)) {"),
      new Mutant("cancelling does not revoke the caller's memory", "requester.Requester",
          "whenEnded(ExposedChunk::ofApplication, () -> {", "whenEnded(chunk -> false, () -> {"),
      new Mutant("an XID is used for the next call in its slot, too", "requester.XidSlots",
          "available--;\n    return counters[slot]++ << bits | slot;",
          "available--;\n    return counters[slot] << bits | slot;"),
      new Mutant("the cache does not tell clients apart", "session.Sessions",
          "Session session = sessions.computeIfAbsent(client,",
          "Session session = !sessions.isEmpty() ? sessions.values().iterator().next()\n"
              + "        : sessions.computeIfAbsent(client,"),
      new Mutant("no Receives for replies", "fabric.ConnectionSettings",
          "return creditsRequested + creditsGranted +", "return creditsGranted +"),
      new Mutant("giving a call up frees its credit", "requester.OutboundCall",
          "        rest.whileSent(", "        requester.neverSent(rest);\n        rest.whileSent("),
      new Mutant("a late reply completes another call", "requester.Requester",
          "    Answerable call = sent(xid);", "    Answerable call = sent(xid) != null ? sent(xid) : inFlight.any();")
          .and("requester.InFlight", "  int size() {", "  OutboundCall any() {\n"
              + "    for (Outstanding one : bySlot) {\n"
              + "      if (one instanceof OutboundCall call) {\n        return call;\n      }\n    }\n"
              + "    return null;\n  }\n\n  int size() {")
          .and("requester.OutboundCall", "        rest.whileSent(",
              "        requester.neverSent(rest);\n        rest.whileSent("),
      new Mutant("a call is sent again after its reply", "session.ChannelCall",
          "    phase = Phase.DONE;\n    channel.replied();",
          "    phase = Phase.WAITING;\n    channel.waitForNext(this);"),
      new Mutant("a call is made by what still stands for another one", "session.ChannelCall",
          "      call = null;\n    }\n    told.outcome(outcome);",
          "      call = null;\n      channel.useAgain(this);\n    }\n    told.outcome(outcome);"),
      new Mutant("a call is sent again under another XID", "session.ChannelCall",
          "    to.call(carried, deadline);", "    dropXid();\n    to.call(carried, deadline);"),
      SENT_TO_FORGETFUL,
      REMEMBERED_WHOLE,
      new Mutant("two slots share a place", "session.SessionCache",
          "return xid & slots.length - 1;", "return xid & slots.length - 2;"),
      new Mutant("a reply is kept in memory that is not its own", "session.DuplicateRequestCache",
          "reply = made.copy();", "reply = made;"),
      new Mutant("who repeats a call that is executed gets no answer", "session.DuplicateRequestCache",
          "        tell(answer);\n", ""),
      new Mutant("a server keeps what its client has forgotten", "session.Session",
          "return client.remembered().equals(Optional.of(id))", "return true"),
      new Mutant("a connection that its client has given up replaces the one that it has made since",
          "session.Session", "Integer.compareUnsigned(number, lastNumber) <= 0", "false")
          .and("requester.OutboundCall", "    endXidUnlessRepeated(kind);\n", "    endXid();\n"),
      new Mutant("the loss of a connection frees what a service reads",
          "responder.IncomingCall", "    if (serving) {\n      return true;", "    if (false) {\n      return true;"),
      new Mutant("a call that may have been executed is said not to have been sent",
          "requester.OutboundCall", "new Outcome.Failed(Kind.CONNECTION_LOST, reason, posted)",
          "new Outcome.Failed(Kind.CONNECTION_LOST, reason, false)"),
      new Mutant("the outcome of a call whose connection is gone is not remembered",
          "responder.Replies",
          "    remember(call, () -> reply);\n    // However large it is", "    // However large it is"),
      new Mutant("the caller hears before the fence is up", "requester.Requester",
          "    fencingStarted();\n    chunks.whenEnded(chunk -> true, () -> {\n"
              + "      try {\n        outcome.run();",
          "    fencingStarted();\n    outcome.run();\n"
              + "    chunks.whenEnded(chunk -> true, () -> {\n      try {"),
      new Mutant("a large reply is kept without an owner of its items", "session.DuplicateRequestCache",
          "\n          || !made.results().tryRetainItems()", ""),
      new Mutant("a large reply that was not pulled is not handed over", "responder.ProvidedReplies",
          "        listener.notPulled();\n", ""),
      new Mutant("a large reply that was not pulled is handed over too late", "responder.Responder",
          "  public void fence() {\n    provided.fence();\n", "  public void fence() {\n"),
      new Mutant("a reply that waits to be pulled is not remembered", "responder.Replies",
          "    remember(call, () -> reply);\n    core.counters().callsServed++;",
          "    if (reply.results().length() < 1000) {\n      remember(call, () -> reply);\n    }\n"
              + "    core.counters().callsServed++;"),
      new Mutant("a lost connection is not replaced", "session.ChannelMachine",
          "      backoff.succeeded();\n      want();", "      backoff.succeeded();"));

  /** Bugs that show on a single connection, whose peer keeps every rule. */
  static final List<Mutant> CONNECTIONS = List.of(
      new Mutant("RDMA_DONE is said before the Reads have ended", "requester.PulledReplies",
          "    pulling.add(reply);\n", "    pulling.add(reply);\n    done(xid, lists.anyHandle());\n"),
      new Mutant("a reply that is being pulled holds no credit", "requester.Requester",
          "return credits.available();", "return credits.available(pulledReplies.pulling());")
          .and("requester.Credits", "  boolean available() {",
              "  boolean available() {\n    return available(0);\n  }\n\n  boolean available(int pulling) {")
          .and("requester.Credits", "&& inFlight.size() <", "&& inFlight.size() - pulling <")
          .and("requester.PulledReplies", "  /** The connection is lost: nothing more is begun. */",
              "  int pulling() {\n    return pulling.size();\n  }\n\n"
                  + "  /** The connection is lost: nothing more is begun. */"),
      new Mutant("a call whose reply is being pulled is forgotten when the connection is lost",
          "requester.PulledReplies",
          "        // Its call is lost with the connection, and is sent again as any other.\n",
          "        requester.forget(xid);\n")
          .and("requester.Requester", "  /** Ends the wait for a reply.",
              "  void forget(int xid) {\n    inFlight.remove(inFlight.get(xid));\n  }\n\n"
                  + "  /** Ends the wait for a reply."),
      new Mutant("the memory of a reply is freed before its Send has completed", "responder.ProvidedReplies",
          "    private void done() {\n      done = true;\n      listener.pulled();\n",
          "    private void done() {\n      done = true;\n      chunks.freeWhenEnded();\n      if (true) {\n"
              + "        begun.remove(this);\n        return;\n      }\n"),
      new Mutant("a Long message with the XID of an own call is always its reply", "requester.PulledReplies",
          "stream.getInt(Integer.BYTES) == OncRpc.CALL", "stream.getInt(Integer.BYTES) < 0"),
      new Mutant("the time to live of a reply frees its memory and does not revoke it",
          "responder.ProvidedReplies", "      chunks.whenEnded(chunk -> true, () -> {",
          "      chunks.whenEnded(chunk -> false, () -> {"),
      new Mutant("RDMA_DONE ends the reply to another call", "responder.ProvidedReplies",
          "reply.xid == xid && reply.offered", "reply.offered"));

  /** Bugs that take a history too particular to be drawn often, and that exploration must find. */
  static final List<Mutant> EXPLORED = List.of(
      new Mutant("a message over a fenced connection counts", "connection.ConnectionMachine",
          "    if (state == State.LOST || disconnecting) {\n      return;\n    }\n    keepAlive",
          "    if (state == State.LOST || disconnecting && !fenced) {\n      return;\n    }\n    keepAlive")
          .and("responder.Responder", "    if (core.open()) {\n      return false;",
              "    if (true) {\n      return false;"),
      new Mutant("what was pulled over a fenced connection is executed", "connection.ConnectionMachine",
          "state == State.DRAINING) && !fenced;", "state == State.DRAINING);"),
      new Mutant("a fence leaves what is being pulled to its connection", "connection.ConnectionMachine",
          "      responder.fence();\n", ""),
      REMEMBERED_WHOLE,
      new Mutant("a call that may be executed again is not known while it is executed",
          "session.DuplicateRequestCache", "      return state == State.FORGOTTEN;",
          "      return state == State.FORGOTTEN || state == State.EXECUTING && repeatable;"),
      SENT_TO_FORGETFUL);

  /** Bugs of calls that a mechanism protects. */
  static final List<Mutant> SECURED = List.of(
      new Mutant("a large reply is lost with the connection while another thread protects it", "responder.Replies",
          "    List.copyOf(protecting).forEach(begun -> begun.call.undelivered(begun.reply));\n", ""));

  private Mutants() {}
}
