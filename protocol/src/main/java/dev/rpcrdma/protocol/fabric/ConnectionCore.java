package dev.rpcrdma.protocol.fabric;

import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.InboundMetadata;

/**
 * What requester and responder of one connection share, and no more than that: they do not know each
 * other.
 */
public interface ConnectionCore {

  /** What was agreed; known from establishment on. */
  ConnectionSettings settings();

  Memory memory();

  Outbox outbox();

  ReadQueue reads();

  Exposures exposures();

  Deadlines deadlines();

  Counters counters();

  /** The metadata of the message that was looked at last. */
  InboundMetadata metadata();

  /** The time of what is happening. */
  long now();

  /** Whether messages can be sent: established, and not lost. */
  boolean open();

  /** Ends the connection because of what the peer did. */
  void fail(String reason);

  /** Something has finished: if the connection is draining, it may be time to end it. */
  void checkDrained();
}
