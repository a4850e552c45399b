// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.explore;

import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.session.ClientSession;
import dev.rpcrdma.protocol.session.Session;
import java.util.List;

/** A connection of a {@link SmallWorld}. Its server may hear long after its client that it is lost. */
final class SmallLink {

  private final SmallWorld world;
  private final int number;
  private final Session session;
  final SmallEnd client;
  private final SmallEnd server;
  private boolean serverDead;

  SmallLink(SmallWorld world, int number, Session session, ClientSession known) {
    this.world = world;
    this.number = number;
    this.session = session;
    this.client = new SmallEnd(world, world.settings(true), known.xids(), known, call -> {
      throw new AssertionError("Nobody calls clients here");
    });
    this.server = new SmallEnd(world, world.settings(false), session.xids(), session.calls(),
        this::serve);
    client.peer = server;
    server.peer = client;
  }

  private void serve(IncomingCall call) {
    ExploredCall.Kind kind = ExploredCall.Kind.of(call.header().procedure());
    if (call.admit(kind != ExploredCall.Kind.ONCE, world.now)) {
      world.execute(call);
    }
  }

  void establish() {
    client.machine.established(client.settings, world.now);
    server.machine.established(server.settings, world.now);
  }

  boolean up() {
    return !client.told;
  }

  boolean over() {
    return client.told && (serverDead || server.told) && client.memory.isEmpty()
        && (serverDead || server.memory.isEmpty());
  }

  void offer(List<SmallWorld.Event> all) {
    client.offer(all, () -> "the client, over connection " + number + ",");
    if (!serverDead) {
      server.offer(all, () -> "the server, over connection " + number + ",");
      if (server.endIsDue()) {
        all.add(new SmallWorld.Event(() -> "the server sees the end of connection " + number, true,
            this::tellServer));
      }
    }
    if (client.endIsDue()) {
      all.add(new SmallWorld.Event(() -> "the client sees the end of connection " + number, true,
          this::tellClient));
    }
  }

  /** The client sees it at once; what has left it may still arrive. */
  void cut() {
    client.ending = true;
    tellClient();
  }

  void fence() {
    if (!serverDead && !server.told) {
      server.machine.fence("The client has connected anew");
    }
  }

  void serverDies() {
    if (!serverDead && !over()) {
      serverDead = true;
      server.told = true;
      client.forgetArrivals();
      client.ending = true;
    }
  }

  private void tellClient() {
    if (!client.told) {
      client.tell();
      world.clientLost();
    }
  }

  private void tellServer() {
    server.tell();
    world.serverLost(session);
  }

  long nextDeadline() {
    return Math.min(client.told ? Long.MAX_VALUE : client.deadlines.next(),
        serverDead ? Long.MAX_VALUE : server.deadlines.next());
  }

  void advance(long now) {
    client.deadlines.advance(now);
    if (!serverDead) {
      server.deadlines.advance(now);
    }
  }
}
