package dev.rpcrdma.protocol.channel;

import dev.rpcrdma.protocol.connection.XidSequence;
import dev.rpcrdma.protocol.wire.InstanceId;
import java.util.LinkedHashMap;
import java.util.Map;

/** A server: what it remembers of its clients, and its channels to them. */
final class WorldServer {

  /** A channel to a client, and where its calls get their XIDs from. */
  record Reverse(ChannelMachine channel, XidSequence xids) {}

  private final World world;
  final Sessions<InstanceId> sessions;
  final Map<Session, Reverse> reverse = new LinkedHashMap<>();
  boolean dead;

  WorldServer(World world) {
    this.world = world;
    this.sessions = new Sessions<>(world.plan.patient() ? 3 : 2, world.memoryNanos(),
        client -> world.cache(), this::dropped);
  }

  Session enter(WorldClient client) {
    Session session = sessions.enter(client.id);
    reverse.computeIfAbsent(session, made -> {
      XidSequence xids = new XidSequence(world.random.nextInt(3));
      return new Reverse(new ChannelMachine(world.channelSettings(), xids, () -> { },
          world.random), xids);
    });
    return session;
  }

  private void dropped(Session session) {
    reverse.remove(session).channel().close();
  }

  long nextDeadline() {
    return reverse.values().stream().mapToLong(r -> r.channel().nextDeadline()).min()
        .orElse(Long.MAX_VALUE);
  }

  void advance() {
    reverse.values().forEach(r -> r.channel().advance(world.now));
    sessions.advance(world.now);
  }

  void close() {
    reverse.values().forEach(r -> r.channel().close());
  }

  /** Its process ends: whatever it did and knew is gone. */
  void die() {
    dead = true;
    world.calls.serverDied(this);
    sessions.clear();
    world.links.forEach(link -> link.fabric.cut());
  }
}
