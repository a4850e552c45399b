// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.verbs;

import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairHandler;
import dev.rpcrdma.verbs.WorkCompletion;

/** The serving end of one connection. */
final class EchoEnd implements QueuePairHandler {

  private static final int LENT = 1000;

  private final QueuePair pair;
  private final LocalMemory receives;
  private final LocalMemory large;
  private Exposure writable;
  private int counted;

  EchoEnd(QueuePair pair, LocalMemory receives, LocalMemory large) {
    this.pair = pair;
    this.receives = receives;
    this.large = large;
    for (int i = 0; i < Wire.RECEIVES; i++) {
      receive(i);
    }
  }

  private void receive(long slot) {
    pair.postReceive(slot, receives, (int) slot * Wire.SMALL, Wire.SMALL);
  }

  @Override
  public void established() {
    pair.expose(0, large, 0, Wire.LARGE, Access.REMOTE_WRITE);
    pair.expose(1, large, 0, Wire.LARGE, Access.REMOTE_READ);
  }

  @Override
  public void exposed(Exposure exposure) {
    if (exposure.owner().equals(0)) {
      writable = exposure;
      return;
    }
    // The first bytes of the receive memory's first slot are not in use before the client speaks.
    receives.buffer().putInt(0, writable.steeringTag()).putLong(4, writable.remoteOffset())
        .putInt(12, exposure.steeringTag()).putLong(16, exposure.remoteOffset());
    pair.postSend(LENT, receives, 0, Wire.SMALL);
  }

  @Override
  public void completed(WorkCompletion completion) {
    if (completion.status() != WorkCompletion.Status.SUCCESS) {
      return;
    }
    if (completion.opcode() == WorkCompletion.Opcode.SEND) {
      if (completion.id() < LENT) {
        receive(completion.id());
      }
      return;
    }
    int slot = (int) completion.id();
    if (receives.buffer().get(slot * Wire.SMALL) == Wire.PING) {
      // The slot goes back with its own bytes, and is posted again when they have gone.
      pair.postSend(slot, receives, slot * Wire.SMALL, Wire.SMALL);
      return;
    }
    receive(slot);
    if (++counted == Wire.ACKNOWLEDGED) {
      counted = 0;
      pair.postSend(LENT, receives, 0, 1);
    }
  }

  @Override
  public void batchEnd() {
    pair.flush();
  }

  @Override
  public void revoked(Exposure exposure) {
    // Nothing is revoked here.
  }

  @Override
  public void disconnected(DisconnectReason reason) {
    receives.deregister();
  }
}
