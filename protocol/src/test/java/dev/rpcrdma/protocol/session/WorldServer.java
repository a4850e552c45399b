// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.InstanceId;
import dev.rpcrdma.protocol.wire.SessionBlock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A server: what it remembers of its clients, and its channels to them. */
final class WorldServer {

  /** A client of it, over all its connections. */
  static final class Peer {

    final Session session;
    final ChannelMachine channel;
    final List<WorldLink> links = new ArrayList<>();
    private InstanceId lastSession;
    /** Null as long as nobody is there. */
    private WorldPath path;

    Peer(Session session, ChannelMachine channel) {
      this.session = session;
      this.channel = channel;
    }

    WorldPath path(World world) {
      if (path == null) {
        path = new WorldPath(world);
      }
      return path;
    }

    /** A connection of it is being accepted. */
    private void arrives() {
      links.forEach(link -> link.fabric.server.machine.fence("The client has connected anew"));
      if (!session.id().equals(lastSession)) {
        path = null;
      }
      channel.met(Optional.of(session.id()), session.id().equals(lastSession));
      lastSession = session.id();
    }
  }

  private final World world;
  /** Null if nobody calls by RPCSEC_GSS. */
  final Authenticator authenticator;
  private final Deadlines deadlines = new Deadlines();
  final Sessions<InstanceId> sessions;
  final Map<Session, Peer> peers = new LinkedHashMap<>();
  boolean dead;

  WorldServer(World world) {
    this.world = world;
    this.authenticator = world.security == null ? null : world.security.server();
    this.sessions = new Sessions<>(world.sessionSettings(), deadlines, world.random, this::dropped);
  }

  private Optional<Peer> enter(SessionBlock hello) {
    Optional<Session> entered = sessions.enter(hello.id(), Optional.of(hello));
    return entered.map(session -> {
      Peer peer = peers.computeIfAbsent(session, made -> new Peer(made,
          new ChannelMachine(world.channelSettings(), () -> { }, deadlines, world.random)));
      peer.arrives();
      return peer;
    });
  }

  /** Accepts a connection; false if it is rejected. */
  boolean accept(SessionBlock hello, WorldClient client) {
    Optional<Peer> peer = enter(hello);
    peer.ifPresent(entered -> world.links.add(new WorldLink(world, client, this, entered)));
    return peer.isPresent();
  }

  /** Accepts a connection whose client is not there any more. */
  void acceptStray(SessionBlock hello) {
    if (!dead) {
      enter(hello).ifPresent(peer -> sessions.leave(peer.session, world.now));
    }
  }

  private void dropped(Session session) {
    peers.remove(session).channel.close();
  }

  long nextDeadline() {
    return deadlines.next();
  }

  void advance() {
    deadlines.advance(world.now);
  }

  void close() {
    peers.values().forEach(peer -> peer.channel.close());
  }

  /** Its process ends: whatever it did and knew is gone. */
  void die() {
    dead = true;
    world.calls.serverDied(this);
    sessions.clear();
    world.links.stream().filter(link -> link.server == this).forEach(link -> link.fabric.cut());
  }
}
