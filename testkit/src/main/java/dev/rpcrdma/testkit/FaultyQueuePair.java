// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import dev.rpcrdma.testkit.FaultPlan.Step;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.VerbsException;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * Loses its connection at a post, and fails exposures. Confined to its event loop.
 *
 * <p>A lost connection is a closed one that its consumer has not closed: what was posted is flushed,
 * and the reason that is told is that of a loss.
 */
final class FaultyQueuePair extends DecoratedQueuePair {

  /** The answer to an exposure that was not made. */
  private record Refused(Object owner, int length) implements Exposure {

    @Override
    public Optional<VerbsException> failure() {
      return Optional.of(new VerbsException(VerbsException.Kind.RESOURCES,
          "The exposure fails on purpose"));
    }

    @Override
    public int steeringTag() {
      return 0;
    }

    @Override
    public long remoteOffset() {
      return 0;
    }
  }

  private final FaultPlan plan;
  private final ArrayDeque<Refused> refused = new ArrayDeque<>();
  private boolean lost;

  FaultyQueuePair(QueuePair delegate, FaultPlan plan) {
    super(delegate);
    this.plan = plan;
  }

  @Override
  Upcalls upcalls() {
    return new Passing();
  }

  private void step() {
    if (!lost && plan.fails(Step.POST)) {
      lost = true;
      delegate.close();
    }
  }

  private void answerRefused() {
    boolean any = !refused.isEmpty();
    while (!refused.isEmpty()) {
      handler.exposed(refused.poll());
    }
    if (any) {
      handler.batchEnd();
    }
  }

  @Override
  public void postSend(long id, LocalMemory memory, int offset, int length) {
    step();
    delegate.postSend(id, memory, offset, length);
  }

  @Override
  public void postSendWithInvalidate(long id, LocalMemory memory, int offset, int length,
      int remoteTag) {
    step();
    delegate.postSendWithInvalidate(id, memory, offset, length, remoteTag);
  }

  @Override
  public void postWrite(long id, LocalMemory memory, int offset, int length, int remoteTag,
      long remoteOffset) {
    step();
    delegate.postWrite(id, memory, offset, length, remoteTag, remoteOffset);
  }

  @Override
  public void postRead(long id, LocalMemory memory, int offset, int length, int remoteTag,
      long remoteOffset) {
    step();
    delegate.postRead(id, memory, offset, length, remoteTag, remoteOffset);
  }

  @Override
  public Exposure expose(Object owner, LocalMemory memory, int offset, int length, Access access) {
    if (plan.fails(Step.EXPOSE)) {
      Refused exposure = new Refused(owner, length);
      refused.add(exposure);
      delegate.context().runOnContext(ignored -> answerRefused());
      return exposure;
    }
    return delegate.expose(owner, memory, offset, length, access);
  }

  private final class Passing extends Upcalls {

    @Override
    public void disconnected(DisconnectReason reason) {
      // All exposures are answered before the last upcall.
      answerRefused();
      super.disconnected(lost ? new DisconnectReason(DisconnectReason.Kind.REMOTE_CLOSE,
          "The connection is lost on purpose") : reason);
    }
  }
}
