// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import dev.rpcrdma.protocol.connection.ConnectionMachine;
import dev.rpcrdma.protocol.connection.SimulatedFabric;
import dev.rpcrdma.protocol.fabric.LargeReplies;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.wire.SessionBlock;
import java.util.Optional;

/** A connection between a client and a server, with all that their shells do for it. */
public final class WorldLink {

  private final World world;
  public final WorldClient client;
  public final WorldServer server;
  public final WorldServer.Peer peer;
  public final SimulatedFabric fabric;
  private boolean announced;
  /** Somebody on the path does so when its message is there. */
  private boolean toBeCut;

  public WorldLink(World world, WorldClient client, WorldServer server, WorldServer.Peer peer) {
    this.world = world;
    this.client = client;
    this.server = server;
    this.peer = peer;
    client.session.met(
        Optional.of(SessionBlock.ofServer(world.slotBits(), peer.session.id())), client.channel);
    LargeReplies[] largeReplies = world.largeReplies();
    this.fabric = new SimulatedFabric(world.random, world.plan.faults(), world.settings(true, largeReplies[0]),
        world.settings(false, largeReplies[1]), new SimulatedFabric.Lasting(client.session.xids(), client.session),
        new SimulatedFabric.Lasting(peer.session.xids(), peer.session.calls()));
    fabric.staleTagsExpected = true;
    fabric.now = world.now;
    fabric.client.whenTold = () -> client.channel.lost(world.now);
    fabric.server.whenTold = () -> {
      if (announced) {
        peer.channel.lost(world.now);
      }
      peer.links.remove(this);
      server.sessions.leave(peer.session, world.now);
    };
    peer.links.add(this);
    client.link = this;
    if (world.security != null) {
      secure();
    }
    fabric.establish();
    if (world.security != null) {
      client.contexts.resume();
    }
    // Its services are awaited.
    client.channel.keepConnected(true);
    client.channel.up(line(fabric.client.machine), world.now);
  }

  private void secure() {
    fabric.server.authenticator = server.authenticator;
    fabric.forgeriesExpected = world.plan.onPath() > 0;
    WorldPath path = peer.path(world);
    fabric.client.onPath = message -> path.fromClient(message, () -> toBeCut = true);
    fabric.server.onPath = message -> path.fromServer(message, () -> toBeCut = true);
  }

  private static Line line(ConnectionMachine machine) {
    return machine::call;
  }

  public boolean step() {
    if (world.random.nextInt(4) == 0 && announce()) {
      return true;
    }
    boolean moved = fabric.step();
    if (toBeCut && world.random.nextInt(4) == 0) {
      toBeCut = false;
      fabric.cutClient();
    }
    take();
    return moved || announce();
  }

  /** The client has said that it serves the server's calls. */
  private boolean announce() {
    if (!mayAnnounce()) {
      return false;
    }
    announced = true;
    peer.channel.up(line(fabric.server.machine), world.now);
    return true;
  }

  /** The client may be back before its old connection is seen to have ended. */
  private boolean mayAnnounce() {
    return !announced && !server.dead && !fabric.server.told() && !fabric.client.lost()
        && peer.links.stream().noneMatch(other -> other != this && other.announced);
  }

  private void take() {
    for (IncomingCall call = fabric.server.incoming.poll(); call != null;
        call = fabric.server.incoming.poll()) {
      world.calls.execute(call, server);
    }
    for (IncomingCall call = fabric.client.incoming.poll(); call != null;
        call = fabric.client.incoming.poll()) {
      world.calls.execute(call, null);
    }
  }

  /** Whether nothing more comes of it: also not what other threads are at work on. */
  public boolean over() {
    return fabric.client.over() && fabric.server.over()
        && (world.security == null || world.security.work().isEmpty());
  }

  public long nextDeadline() {
    return Math.min(fabric.client.deadlines.next(), fabric.server.deadlines.next());
  }

  public void checkAtRest() {
    fabric.client.checkAtRest();
    if (!server.dead) {
      fabric.server.checkAtRest();
    }
  }
}
