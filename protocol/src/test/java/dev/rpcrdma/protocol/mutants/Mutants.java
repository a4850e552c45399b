package dev.rpcrdma.protocol.mutants;

import java.util.List;

/** The bugs that the simulation must find. */
final class Mutants {

  static final List<Mutant> ALL = List.of(
      new Mutant("what the peer asks for is taken for what it grants", "connection.Requester",
          "  private void grant(int credits) {", "  void grant(int credits) {")
          .and("connection.MessageRouter",
              "    switch (direction(lists, inline, message)) {",
              "    requester.grant(RawHeader.credits(message));\n"
                  + "    switch (direction(lists, inline, message)) {"),
      new Mutant("cancelling does not revoke the caller's memory", "connection.PendingCall",
          "whenEnded(OfferedChunk::ofApplication, () -> {", "whenEnded(chunk -> false, () -> {"),
      new Mutant("an XID is given out while it is outstanding", "connection.XidSequence",
          "return next++;", "return next++ & 3;")
          .and("channel.ChannelMachine", "while (pending.contains(xid))",
              "while (pending.contains(xid) && pending.isEmpty())"),
      new Mutant("the cache does not tell clients apart", "channel.Sessions",
          "Session session = sessions.computeIfAbsent(client,",
          "Session session = !sessions.isEmpty() ? sessions.values().iterator().next()\n"
              + "        : sessions.computeIfAbsent(client,"),
      new Mutant("no Receives for replies", "connection.ConnectionSettings",
          "return creditsRequested + creditsGranted + 1;", "return creditsGranted + 1;"),
      new Mutant("giving a call up frees its credit", "connection.PendingCall",
          "    phase = Phase.LATE;\n", "    phase = Phase.LATE;\n    requester.neverSent(this);\n"),
      new Mutant("a late reply completes another call", "connection.Requester",
          "    PendingCall pending = inFlight.get(xid);",
          "    PendingCall pending = inFlight.contains(xid) || inFlight.isEmpty()\n"
              + "        ? inFlight.get(xid) : inFlight.all().get(0);")
          .and("connection.PendingCall", "    phase = Phase.LATE;\n",
              "    phase = Phase.LATE;\n    requester.neverSent(this);\n"),
      new Mutant("a call is sent again after its reply", "channel.ChannelCall",
          "    phase = Phase.DONE;\n    channel.replied(this);",
          "    phase = Phase.WAITING;\n    channel.waitForNext(this);"),
      new Mutant("a call is sent again under another XID", "channel.ChannelCall",
          "line.call(call, this, xid,", "line.call(call, this, sentBefore ? xid + 1000 : xid,"),
      new Mutant("calls are sent again to a server that has forgotten them",
          "channel.ChannelCall", "session.isPresent() && session.equals(to)",
          "session.isPresent() && to.isPresent()"),
      new Mutant("a call is remembered only when it has been executed", "channel.ReplyCache",
          "    entries.put(call.xid(), entry);\n", "")
          .and("channel.ReplyCache", "      boolean forgotten = entries.get(xid) != this;",
              "      entries.put(xid, this);\n      boolean forgotten = false;"),
      new Mutant("too few replies are remembered", "channel.ReplyCache",
          "if (answered.size() > window)", "if (answered.size() > 1)"),
      new Mutant("a reply is kept in memory that is not its own", "channel.ReplyCache",
          "reply = made.copy();", "reply = made;"),
      new Mutant("who repeats a call that is executed gets no answer", "channel.ReplyCache",
          "      waiters.forEach(waiter -> answer(waiter.call, waiter.answers));\n", ""),
      new Mutant("the loss of a connection frees what a service reads",
          "connection.IncomingCall", "    if (serving) {", "    if (false) {"),
      new Mutant("a call that may have been executed is said not to have been sent",
          "connection.PendingCall", "new CallFailure(Kind.CONNECTION_LOST, reason, posted)",
          "new CallFailure(Kind.CONNECTION_LOST, reason, false)"),
      new Mutant("the outcome of a call whose connection is gone is not remembered",
          "connection.Responder",
          "    PayloadStream reply = finish(call, writer.toPayloadStream());\n    remember(call, reply);",
          "    PayloadStream reply = finish(call, writer.toPayloadStream());"),
      new Mutant("the caller hears before the fence is up", "connection.PendingCall",
          "    requester.fencingStarted();\n    chunks.whenEnded(chunk -> true, () -> {\n"
              + "      try {\n        outcome.run();",
          "    requester.fencingStarted();\n    outcome.run();\n"
              + "    chunks.whenEnded(chunk -> true, () -> {\n      try {"),
      new Mutant("a lost connection is not replaced", "channel.ChannelMachine",
          "      backoff.succeeded();\n      want();", "      backoff.succeeded();"));

  private Mutants() {}
}
