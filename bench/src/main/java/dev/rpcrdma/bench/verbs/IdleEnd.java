// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.verbs;

import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairHandler;
import dev.rpcrdma.verbs.WorkCompletion;

/** An end of a connection that only stands ready. */
final class IdleEnd implements QueuePairHandler {

  /** Posted by each connection. */
  static final int RECEIVES = 32;

  IdleEnd(QueuePair pair, LocalMemory receives) {
    for (int i = 0; i < RECEIVES; i++) {
      pair.postReceive(i, receives, i * Wire.SMALL, Wire.SMALL);
    }
  }

  @Override
  public void established() {
    // Nothing is sent.
  }

  @Override
  public void completed(WorkCompletion completion) {
    // Only flushed Receives, at the end.
  }

  @Override
  public void batchEnd() {
    // Nothing was posted.
  }

  @Override
  public void exposed(Exposure exposure) {
    // Nothing is exposed here.
  }

  @Override
  public void revoked(Exposure exposure) {
    // Nothing is revoked here.
  }

  @Override
  public void disconnected(DisconnectReason reason) {
    // The receive memory belongs to all connections.
  }
}
