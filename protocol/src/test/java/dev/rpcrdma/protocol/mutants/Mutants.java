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
          "  private void grant(int credits) {", "  public void grant(int credits) {")
          .and("connection.MessageRouter",
              "    switch (direction(lists, inline, message)) {",
              "    requester.grant(RawHeader.credits(message));\n"
                  + "    switch (direction(lists, inline, message)) {"),
      new Mutant("cancelling does not revoke the caller's memory", "requester.Requester",
          "whenEnded(ExposedChunk::ofApplication, () -> {", "whenEnded(chunk -> false, () -> {"),
      new Mutant("an XID is used for the next call in its slot, too", "requester.XidSlots",
          "return counters[slot]++ << bits | slot;", "return counters[slot] << bits | slot;"),
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
          "    phase = Phase.DONE;\n    if (channel != null) {\n      channel.replied();",
          "    phase = Phase.WAITING;\n    if (channel != null) {\n      channel.waitForNext(this);"),
      new Mutant("a call is sent again under another XID", "session.ChannelCall",
          "    line.call(this, deadline);", "    dropXid();\n    line.call(this, deadline);"),
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
          "requester.OutboundCall", "new CallFailure(Kind.CONNECTION_LOST, reason, posted)",
          "new CallFailure(Kind.CONNECTION_LOST, reason, false)"),
      new Mutant("the outcome of a call whose connection is gone is not remembered",
          "responder.Replies",
          "    remember(call, () -> reply);\n    reply.results().releaseItemsLeft();",
          "    reply.results().releaseItemsLeft();"),
      new Mutant("the caller hears before the fence is up", "requester.Requester",
          "    fencingStarted();\n    chunks.whenEnded(chunk -> true, () -> {\n"
              + "      try {\n        outcome.run();",
          "    fencingStarted();\n    outcome.run();\n"
              + "    chunks.whenEnded(chunk -> true, () -> {\n      try {"),
      new Mutant("a lost connection is not replaced", "session.ChannelMachine",
          "      backoff.succeeded();\n      want();", "      backoff.succeeded();"));

  /** Bugs that take a history too particular to be drawn often, and that exploration must find. */
  static final List<Mutant> EXPLORED = List.of(
      new Mutant("a message over a fenced connection counts", "connection.ConnectionMachine",
          "    if (state == State.LOST || disconnecting) {\n      return;\n    }\n    keepAlive",
          "    if (state == State.LOST || disconnecting && !fenced) {\n      return;\n    }\n    keepAlive")
          .and("responder.Responder", "    if (!core.open()) {\n      // Fenced",
              "    if (false) {\n      // Fenced"),
      new Mutant("what was pulled over a fenced connection is executed", "connection.ConnectionMachine",
          "state == State.DRAINING) && !fenced;", "state == State.DRAINING);"),
      new Mutant("a fence leaves what is being pulled to its connection", "connection.ConnectionMachine",
          "      responder.fence();\n", ""),
      REMEMBERED_WHOLE,
      new Mutant("a call that may be executed again is not known while it is executed",
          "session.DuplicateRequestCache", "      return state == State.FORGOTTEN;",
          "      return state == State.FORGOTTEN || state == State.EXECUTING && repeatable;"),
      SENT_TO_FORGETFUL);

  private Mutants() {}
}
