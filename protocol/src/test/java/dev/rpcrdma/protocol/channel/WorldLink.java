package dev.rpcrdma.protocol.channel;

import dev.rpcrdma.protocol.connection.ConnectionMachine;
import dev.rpcrdma.protocol.connection.IncomingCall;
import dev.rpcrdma.protocol.connection.SimulatedFabric;
import java.util.Optional;

/** A connection between a client and a server, with all that their shells do for it. */
final class WorldLink {

  private final World world;
  final WorldClient client;
  final WorldServer server;
  final Session session;
  final SimulatedFabric fabric;
  private final WorldServer.Reverse reverse;
  private boolean announced;

  WorldLink(World world, WorldClient client, WorldServer server) {
    this.world = world;
    this.client = client;
    this.server = server;
    this.session = server.enter(client);
    this.reverse = server.reverse.get(session);
    client.meet(session.id());
    this.fabric = new SimulatedFabric(world.random, world.plan.faults(), world.settings(true),
        world.settings(false), new SimulatedFabric.Lasting(client.xids, client.served),
        new SimulatedFabric.Lasting(reverse.xids(), session.calls()));
    fabric.staleTagsExpected = true;
    fabric.now = world.now;
    fabric.client.whenTold = () -> client.channel.lost(world.now);
    fabric.server.whenTold = () -> {
      if (announced) {
        reverse.channel().lost(world.now);
      }
      server.sessions.leave(session, world.now);
    };
    fabric.establish();
    // Its services are awaited.
    client.channel.keepConnected();
    client.channel.up(line(fabric.client.machine, true), Optional.of(session.id()));
  }

  private Line line(ConnectionMachine machine, boolean forward) {
    return (call, listener, xid, again, deadline) -> {
      world.calls.given(new Calls.Key(forward ? client : session, forward, xid),
          call.arguments());
      return machine.call(call, listener, xid, again, deadline);
    };
  }

  boolean step() {
    if (world.random.nextInt(4) == 0 && announce()) {
      return true;
    }
    boolean moved = fabric.step();
    take();
    return moved || announce();
  }

  /** The client has said that it serves the server's calls. */
  private boolean announce() {
    if (!mayAnnounce()) {
      return false;
    }
    announced = true;
    reverse.channel().up(line(fabric.server.machine, false), Optional.of(client.id));
    return true;
  }

  /** The client may be back before its old connection is seen to have ended. */
  private boolean mayAnnounce() {
    return !announced && !server.dead && !fabric.server.told() && world.links.stream()
        .noneMatch(other -> other != this && other.session == session && other.announced
            && !other.fabric.server.told());
  }

  private void take() {
    for (IncomingCall call = fabric.server.incoming.poll(); call != null;
        call = fabric.server.incoming.poll()) {
      world.calls.arrived(new Calls.Key(client, true, call.xid()), call, fabric.server.machine,
          session.calls(), server);
    }
    for (IncomingCall call = fabric.client.incoming.poll(); call != null;
        call = fabric.client.incoming.poll()) {
      world.calls.arrived(new Calls.Key(session, false, call.xid()), call,
          fabric.client.machine, client.served, null);
    }
  }

  boolean over() {
    return fabric.client.told() && fabric.server.told();
  }

  long nextDeadline() {
    return Math.min(fabric.client.machine.nextDeadline(), fabric.server.machine.nextDeadline());
  }

  void checkAtRest() {
    fabric.client.checkAtRest();
    if (!server.dead) {
      fabric.server.checkAtRest();
    }
  }
}
