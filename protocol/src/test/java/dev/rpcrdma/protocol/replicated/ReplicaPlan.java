// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.replicated;

/**
 * What may happen in a {@link ReplicaWorld}.
 *
 * @param nodes the node behind each address that clients know: "001" is two addresses of one node, and one of another
 * @param slots how many slots have calls; each belongs to a client of its own, or to the same: that is no difference
 * @param calls how many calls each slot has, one after the other
 * @param deaths how many nodes may die
 * @param losses how often a client may lose its connection to a node that lives
 * @param faults how many operations on the map may fail, whether or not they take effect
 * @param givingUp how many calls may be given up
 * @param refusals how often a service may refuse a call
 * @param large whether replies are too large to be kept
 * @param map what is wrong with the map
 */
record ReplicaPlan(String nodes, int slots, int calls, int deaths, int losses, int faults, int givingUp, int refusals,
    boolean large, MapFault map) {

  /** What can be wrong with a map. */
  enum MapFault {
    /** Nothing. */
    NONE,
    /** It sets without comparing. */
    BLIND,
    /** Entries expire while messages of their slot are on their way. */
    SHORT_TIME
  }

  int addresses() {
    return nodes.length();
  }

  int node(int address) {
    return nodes.charAt(address) - '0';
  }
}
