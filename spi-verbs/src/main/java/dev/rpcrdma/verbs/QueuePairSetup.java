// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

/** Prepares a queue pair before its peer can send anything. */
@FunctionalInterface
public interface QueuePairSetup {

  /**
   * Posts the first Receives and names the handler. On iWARP a Send that finds no Receive ends the
   * connection, so whatever the peer may send first must have its Receive posted here.
   *
   * @param queuePair not yet connected: only Receives may be posted
   * @return the handler of all upcalls of this queue pair
   */
  QueuePairHandler setup(QueuePair queuePair);
}
