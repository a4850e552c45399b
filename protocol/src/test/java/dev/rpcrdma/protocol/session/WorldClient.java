// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.SessionBlock;

/** A client: one channel, and what it knows of its server. */
public final class WorldClient {

  private final World world;
  private final Deadlines deadlines = new Deadlines();
  public final ClientSession session;
  public final ChannelMachine channel;
  private WorldServer server;
  private boolean everConnected;
  private boolean wanted;
  /** The last one that was made; null if there was none. */
  public WorldLink link;
  /** Who calls; null if nobody asks. */
  public final String user;
  public final WorldSecurity.Contexts contexts;

  public WorldClient(World world) {
    this.world = world;
    this.session = new ClientSession(world.sessionSettings(), world.slotBits(), deadlines, world.random);
    this.channel = new ChannelMachine(world.channelSettings(), () -> wanted = true, deadlines, world.random);
    this.server = world.servers.get(0);
    this.user = world.security == null ? null : world.newUser();
    this.contexts = world.security == null ? null : world.security.client(user, this);
  }

  public boolean connectIfWanted() {
    if (!wanted) {
      return false;
    }
    wanted = false;
    if (server.dead || world.chance(world.plan.wander())) {
      server = world.servers.get(world.random.nextInt(world.servers.size()));
    }
    SessionBlock hello = session.hello();
    // A channel that was never connected tells at once; it is those that were that must go on.
    if (everConnected && world.chance(world.plan.stray())) {
      world.strays.add(new World.Stray(server, hello));
      channel.failed("given up", world.now);
    } else if (everConnected && world.chance(world.plan.refuse())
        || !server.accept(hello, this)) {
      channel.failed("refused", world.now);
    } else {
      everConnected = true;
    }
    return true;
  }

  public void after(long nanos, Runnable task) {
    deadlines.add(new Deadlines.Entry() {
      @Override
      protected void expired(long now) {
        task.run();
      }
    }, world.now + nanos);
  }

  public long nextDeadline() {
    return deadlines.next();
  }

  public void advance() {
    deadlines.advance(world.now);
  }
}
