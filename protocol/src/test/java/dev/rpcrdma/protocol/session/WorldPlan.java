// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import dev.rpcrdma.protocol.connection.SimulatedFabric;
import java.util.function.Function;

/**
 * What happens in a {@link World}, in per mille of its steps.
 *
 * @param cut a connection is cut; one time in two its server sees that only later
 * @param refuse a connection is not made, of the attempts
 * @param stray a client gives an attempt to connect up, which gets to the server all the same, some time
 *     later; of the attempts
 * @param wander a client comes to another server than before, of its attempts
 * @param restart a server dies, with all that it remembers, and is back at once
 * @param cancel a caller gives up
 * @param hurry time passes although there is something to do
 * @param faults of the fabric's own
 * @param starved which services do not answer before all else is done: 0 none, 1 the servers', 2 the
 *     clients'
 * @param patient nobody's time runs out: neither callers' nor services', and nobody is forgotten
 * @param calls how many calls are made, at most
 * @param credits how many calls are in flight at once, at most; there are twice as many slots
 * @param pulls how many of a hundred calls have large arguments
 * @param security how clients prove who they are; null if they do not
 * @param onPath how many messages of a thousand somebody on the path replaces by others
 */
public record WorldPlan(int cut, int refuse, int stray, int wander, int restart, int cancel, int hurry,
    SimulatedFabric.Faults faults, int starved, boolean patient, int calls, int credits, int pulls,
    Function<World, WorldSecurity> security, int onPath) {

  WorldPlan(int cut, int refuse, int stray, int wander, int restart, int cancel, int hurry,
      SimulatedFabric.Faults faults, int starved, boolean patient, int calls, int credits, int pulls) {
    this(cut, refuse, stray, wander, restart, cancel, hurry, faults, starved, patient, calls, credits, pulls, null, 0);
  }

  /** The same by clients that prove who they are, with somebody on the path. */
  public WorldPlan secured(Function<World, WorldSecurity> by, int perMille) {
    return new WorldPlan(cut, refuse, stray, wander, restart, cancel, hurry, faults, starved, patient, calls, credits,
        pulls, by, perMille);
  }

  private static final SimulatedFabric.Faults LATE = new SimulatedFabric.Faults(0, 0, 0, 300);

  /** Nothing but losses of connections: no call may be lost. */
  public static final WorldPlan CUTS = new WorldPlan(6, 200, 0, 0, 0, 0, 0, LATE, 0, true, 28, 4, 30);

  /** One direction's services are stuck: the other direction goes on. */
  public static WorldPlan starving(int direction) {
    return new WorldPlan(2, 0, 0, 0, 0, 0, 0, LATE, direction, true, 28, 4, 30);
  }

  /** Everything. */
  public static final WorldPlan EVERYTHING = new WorldPlan(5, 200, 50, 100, 2, 10, 10,
      new SimulatedFabric.Faults(0, 10, 10, 300), 0, false, 28, 4, 30);

  /** Many more calls than there are slots, among losses. */
  public static final WorldPlan TRAFFIC = new WorldPlan(3, 100, 0, 0, 0, 3, 0, LATE, 0, true, 400, 4, 30);

  /** Clients that come to one server after the other, and connections that arrive in another order. */
  public static final WorldPlan WANDERING = new WorldPlan(25, 0, 150, 400, 0, 10, 0, LATE, 0, false, 40, 1, 10);

  /** Few slots, large arguments, and losses that servers see late. */
  public static final WorldPlan NARROW = new WorldPlan(30, 50, 150, 0, 0, 20, 0,
      new SimulatedFabric.Faults(0, 0, 0, 500), 0, true, 40, 1, 60);

  /** For calls that somebody on the path meddles with. */
  public static final WorldPlan PURSUED = new WorldPlan(3, 0, 0, 0, 1, 0, 0, LATE, 0, false, 40, 2, 10);
}
