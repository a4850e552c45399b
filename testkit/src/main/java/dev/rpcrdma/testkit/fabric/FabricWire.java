// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What two connected ends have in common: a lane each way, and their faults. Safe for all threads. */
final class FabricWire {

  private final Endpoint connector;
  private final Endpoint acceptor;
  private final MemoryOptions faults;
  private final Lane toConnector;
  private final Lane toAcceptor;
  private final AtomicLong carried = new AtomicLong();
  private final AtomicInteger alive = new AtomicInteger(2);

  /**
   * Joins two ends that are set up.
   *
   * @param connector the end that has connected
   * @param acceptor the other one
   * @param faults of this connection
   * @param random of this connection
   */
  FabricWire(Endpoint connector, Endpoint acceptor, MemoryOptions faults, SplittableRandom random) {
    this.connector = connector;
    this.acceptor = acceptor;
    this.faults = faults;
    this.toConnector = new Lane(this, connector, faults, random.split());
    this.toAcceptor = new Lane(this, acceptor, faults, random.split());
    connector.fabric().add(this);
    acceptor.fabric().add(this);
  }

  Endpoint peer(Endpoint end) {
    return end == connector ? acceptor : connector;
  }

  /** Where an end sends. */
  Lane from(Endpoint end) {
    return end == connector ? toAcceptor : toConnector;
  }

  /** Where things arrive at an end. */
  Lane to(Endpoint end) {
    return end == connector ? toConnector : toAcceptor;
  }

  /** Whether nothing passes now. */
  boolean isPartitioned() {
    return connector.fabric().isPartitioned() || acceptor.fabric().isPartitioned();
  }

  /** Things may pass again. */
  void wake() {
    toConnector.wake();
    toAcceptor.wake();
  }

  /**
   * Counts a work request that has arrived.
   *
   * @return whether the connection is to be cut in its middle
   */
  boolean cutsNext() {
    long count = carried.incrementAndGet();
    boolean due = faults.cutAfterMessages() > 0 && count > faults.cutAfterMessages();
    due |= connector.fabric().cutsAt(this);
    if (acceptor.fabric() != connector.fabric()) {
      due |= acceptor.fabric().cutsAt(this);
    }
    return due;
  }

  /** Ends the connection: nothing more passes, and both ends are told soon. */
  void cut() {
    toConnector.drop();
    toAcceptor.drop();
    connector.lost("The connection is cut on purpose");
    acceptor.lost("The connection is cut on purpose");
  }

  /** One of the ends is gone. */
  void left() {
    if (alive.decrementAndGet() == 0) {
      connector.fabric().remove(this);
      acceptor.fabric().remove(this);
    }
  }
}
