package dev.rpcrdma.protocol.channel;

import dev.rpcrdma.protocol.connection.XidSequence;
import dev.rpcrdma.protocol.wire.InstanceId;
import java.util.Optional;

/** A client: one channel, and what it remembers of the server's calls. */
final class WorldClient {

  private final World world;
  final InstanceId id = InstanceId.random();
  final XidSequence xids;
  final ChannelMachine channel;
  ReplyCache served;
  private Optional<InstanceId> session = Optional.empty();
  private boolean wanted;

  WorldClient(World world) {
    this.world = world;
    // Equal to those of others, often enough (B-097).
    this.xids = new XidSequence(world.random.nextInt(3));
    this.served = world.cache();
    this.channel = new ChannelMachine(world.channelSettings(), xids, () -> wanted = true,
        world.random);
  }

  boolean connectIfWanted() {
    if (!wanted) {
      return false;
    }
    wanted = false;
    // A channel that was never connected tells at once; it is those that were that must go on.
    if (session.isPresent() && world.chance(world.plan.refuse())) {
      channel.failed("refused", world.now);
    } else {
      world.links.add(new WorldLink(world, this, world.server));
    }
    return true;
  }

  /** The server says who it is. */
  void meet(InstanceId shown) {
    if (session.isPresent() && !session.get().equals(shown)) {
      // Another server, or one that has forgotten: its XIDs begin anew.
      served.clear();
    }
    session = Optional.of(shown);
  }
}
