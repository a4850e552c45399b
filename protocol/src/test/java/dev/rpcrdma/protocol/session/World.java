// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import dev.rpcrdma.protocol.binding.Replay;
import dev.rpcrdma.protocol.fabric.ConnectionSettings;
import dev.rpcrdma.protocol.fabric.LargeReplies;
import dev.rpcrdma.protocol.fabric.TestSettings;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.requester.XidSlots;
import dev.rpcrdma.protocol.wire.SessionBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Some clients, a server that may die, connections between them that may be cut, and time. One seed
 * decides everything. Each step does one thing that may happen next; what must hold is checked in each
 * fabric after each of its steps, and by each call when it ends.
 */
public final class World {

  public static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  /** What a cache has for copies of replies where large ones are kept without: more than all small ones need. */
  static final int FEW_BYTES = 1000;
  private static final long FOREVER = 1_000_000 * SECOND;
  private static final int MOST_STEPS = 200_000;

  public final Random random;
  public final WorldPlan plan;
  public final Calls calls;
  public final List<WorldClient> clients = new ArrayList<>();
  public final List<WorldLink> links = new ArrayList<>();
  public final List<WorldServer> servers = new ArrayList<>();
  /** Connections whose clients have given them up, and that get to their servers at last. */
  public final List<Stray> strays = new ArrayList<>();
  public long now;
  /** Nothing bad happens any more. */
  public boolean calm;
  private boolean closed;
  private int users;
  /** Null if nobody proves who calls. */
  public final WorldSecurity security;
  /** Whatever does not fit a Send is pulled, and only what was not pulled is remembered of it. */
  public final boolean allPulled;

  public record Stray(WorldServer server, SessionBlock hello) {}

  public World(long seed, WorldPlan plan) {
    this.random = new Random(seed);
    this.plan = plan;
    this.allPulled = seed % 4 == 3;
    this.calls = new Calls(this);
    this.security = plan.security() == null ? null : plan.security().apply(this);
    servers.add(new WorldServer(this));
    if (plan.wander() > 0) {
      servers.add(new WorldServer(this));
    }
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      clients.add(new WorldClient(this));
    }
  }

  /**
   * Lives through one seed.
   *
   * @return what chance would have brought next, which depends on all that it has brought
   */
  public static long live(long seed, WorldPlan plan) {
    World world = new World(seed, plan);
    try {
      world.live();
      return world.random.nextLong();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("Seed " + seed + " of " + plan + ": " + e, e);
    }
  }

  private void live() {
    int toMake = 4 + random.nextInt(plan.calls() - 4);
    int steps = 0;
    while (toMake > 0 || steps < 400) {
      if (toMake > 0 && random.nextInt(8) == 0) {
        toMake--;
        calls.make();
      }
      mischief();
      boolean moved = step();
      if (!moved && toMake == 0 && !pass()) {
        break;
      }
      steps++;
    }
    if (plan.starved() != 0) {
      settle();
      calls.checkNotStarved();
    }
    calm = true;
    settle();
    calls.check();
    end();
  }

  private void mischief() {
    if (chance(plan.cut()) && !links.isEmpty()) {
      WorldLink link = links.get(random.nextInt(links.size()));
      if (random.nextBoolean()) {
        link.fabric.cut();
      } else {
        link.fabric.cutClient();
      }
    }
    if (chance(plan.restart())) {
      int index = random.nextInt(servers.size());
      servers.get(index).die();
      servers.set(index, new WorldServer(this));
    }
    if (chance(plan.cancel())) {
      calls.cancelOne();
    }
    if (chance(plan.hurry())) {
      pass();
    }
  }

  public boolean chance(int perMille) {
    return !calm && perMille > 0 && random.nextInt(1000) < perMille;
  }

  /** One thing that may happen; false if there is none. */
  private boolean step() {
    if (security != null && !security.work().isEmpty() && random.nextInt(3) > 0) {
      security.work().remove(random.nextInt(security.work().size())).run();
      return true;
    }
    if (random.nextInt(3) == 0 && calls.serveOne()) {
      return true;
    }
    if (random.nextInt(4) == 0 && connectOne()) {
      return true;
    }
    int first = links.isEmpty() ? 0 : random.nextInt(links.size());
    for (int i = 0; i < links.size(); i++) {
      if (links.get((first + i) % links.size()).step()) {
        links.removeIf(WorldLink::over);
        return true;
      }
    }
    return connectOne() || calls.serveOne() || security != null && !security.work().isEmpty() && step();
  }

  private boolean connectOne() {
    if (!strays.isEmpty() && random.nextInt(4) == 0) {
      Stray stray = strays.remove(0);
      stray.server().acceptStray(stray.hello());
      return true;
    }
    for (WorldClient client : clients) {
      if (client.connectIfWanted()) {
        return true;
      }
    }
    return false;
  }

  /** Lets time pass to the next deadline; false if there is none. */
  private boolean pass() {
    long next = Long.MAX_VALUE;
    for (WorldServer server : servers) {
      next = Math.min(next, server.nextDeadline());
    }
    for (WorldClient client : clients) {
      next = Math.min(next, client.nextDeadline());
    }
    for (WorldLink link : links) {
      next = Math.min(next, link.nextDeadline());
    }
    if (next == Long.MAX_VALUE || plan.patient() && !closed && next >= FOREVER) {
      return false;
    }
    now = Math.max(now, next);
    servers.forEach(WorldServer::advance);
    clients.forEach(WorldClient::advance);
    List.copyOf(links).forEach(link -> link.fabric.advance(now));
    return true;
  }

  private void settle() {
    int steps = 0;
    while (step() || (calls.owed() > 0 || closed && !links.isEmpty()) && pass()) {
      if (++steps > MOST_STEPS) {
        throw new AssertionError("It goes on for ever: " + calls.owed() + " calls owed, "
            + links.size() + " connections");
      }
    }
  }

  /** Closes everything: nothing is left behind. */
  private void end() {
    List<WorldLink> open = List.copyOf(links);
    clients.forEach(client -> client.channel.close());
    servers.forEach(WorldServer::close);
    closed = true;
    for (WorldLink link : open) {
      link.fabric.client.machine.close(now);
      link.fabric.server.machine.close(now);
    }
    settle();
    open.forEach(WorldLink::checkAtRest);
    clients.forEach(client -> client.session.clear());
    servers.forEach(server -> server.sessions.clear());
    calls.checkMemory();
  }

  /** Of one end of a connection; whether there is metadata follows from what was drawn before. */
  public ConnectionSettings settings(boolean client, LargeReplies largeReplies) {
    long service = plan.patient() ? FOREVER : 3 * SECOND;
    return TestSettings.of(client)
        .credits(1 + random.nextInt(plan.credits()), 1 + random.nextInt(plan.credits()))
        .sendSlots(2 + random.nextInt(6)).reads(1 + random.nextInt(3)).remoteInvalidation(random.nextBoolean())
        .queued(512).times(service, 5 * SECOND).largeReplies(largeReplies)
        .metadata(largeReplies.doneInvalidates()).build();
  }

  /** What one end does with large replies, and what the other does. */
  public LargeReplies[] largeReplies() {
    boolean forward = allPulled || random.nextBoolean();
    boolean reverse = allPulled || random.nextBoolean();
    boolean invalidates = random.nextBoolean();
    long wait = plan.patient() ? FOREVER : 3 * SECOND;
    return new LargeReplies[] {new LargeReplies(forward, reverse, invalidates, 8_000, wait),
        new LargeReplies(reverse, forward, invalidates, 8_000, wait)};
  }

  public ChannelSettings channelSettings() {
    return new ChannelSettings(Replay.SAFE, 512, 0, SECOND / 10, SECOND);
  }

  public int slotBits() {
    return XidSlots.bitsFor(plan.credits());
  }

  public SessionSettings sessionSettings() {
    return new SessionSettings(slotBits(), allPulled ? FEW_BYTES : 1 << 20, 1 << 20, 8, SECOND, plan.patient() ? 3 : 2,
        plan.patient() ? FOREVER : 2 * SECOND);
  }

  public long deadline() {
    return plan.patient() ? FOREVER : now + (1 + random.nextInt(8)) * SECOND;
  }

  String newUser() {
    return "user " + users++;
  }

  /**
   * Whether a call may be refused: somebody on the path can make that so, since nobody signs it, and so can a server
   * that forgets its contexts twice.
   */
  boolean mayBeRefused(ReplyHeader header) {
    return plan.onPath() + plan.restart() > 0 && !(header instanceof ReplyHeader.Accepted);
  }
}
