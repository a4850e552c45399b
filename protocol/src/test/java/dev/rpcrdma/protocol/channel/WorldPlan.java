package dev.rpcrdma.protocol.channel;

import dev.rpcrdma.protocol.connection.SimulatedFabric;

/**
 * What happens in a {@link World}, in per mille of its steps.
 *
 * @param cut a connection is cut
 * @param refuse a connection is not made, of the attempts
 * @param restart a server dies, with all that it remembers, and is back at once
 * @param cancel a caller gives up
 * @param hurry time passes although there is something to do
 * @param faults of the fabric's own
 * @param starved which services do not answer before all else is done: 0 none, 1 the servers', 2 the
 *     clients'
 * @param patient nobody's time runs out: neither callers' nor services', and nobody is forgotten
 */
record WorldPlan(int cut, int refuse, int restart, int cancel, int hurry,
    SimulatedFabric.Faults faults, int starved, boolean patient) {

  /** Nothing but losses of connections: no call may be lost. */
  static final WorldPlan CUTS =
      new WorldPlan(6, 200, 0, 0, 0, SimulatedFabric.Faults.NONE, 0, true);

  /** One direction's services are stuck: the other direction goes on. */
  static WorldPlan starving(int direction) {
    return new WorldPlan(2, 0, 0, 0, 0, SimulatedFabric.Faults.NONE, direction, true);
  }

  /** Everything. */
  static final WorldPlan EVERYTHING =
      new WorldPlan(5, 200, 2, 10, 10, new SimulatedFabric.Faults(0, 10, 10), 0, false);
}
