// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.fabric;

import dev.rpcrdma.protocol.oncrpc.SecureChannel;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.InboundMetadata;
import java.nio.ByteBuffer;

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

  /**
   * Cuts the metadata off the end of a Payload stream, if there is any between these two ends.
   *
   * @param stream its limit moves to where the RPC message ends
   * @return false if there is no sound block where one has to be: the connection ends
   */
  default boolean cutMetadata(ByteBuffer stream) {
    if (!settings().metadata() || metadata().cut(stream)) {
      return true;
    }
    fail("The peer has sent an RPC message that does not end in a sound metadata block");
    return false;
  }

  /** The connection, to those who protect calls over it. */
  SecureChannel channel();

  /** The time of what is happening. */
  long now();

  /** Whether messages can be sent: established, and not lost. */
  boolean open();

  /** Ends the connection because of what the peer did. */
  void fail(String reason);

  /** Something has finished: if the connection is draining, it may be time to end it. */
  void checkDrained();

  /** The peer is about to end the connection, and waits until this end has done so. */
  void peerLeaves();
}
