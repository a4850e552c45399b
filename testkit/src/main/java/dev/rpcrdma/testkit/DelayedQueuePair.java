// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.WorkCompletion;
import java.util.ArrayDeque;
import java.util.Random;

/** A queue pair whose send-queue completions come late. */
final class DelayedQueuePair extends DecoratedQueuePair {

  /** A completion that is held back. */
  private record Held(long id, Opcode opcode, Status status, int byteLength, boolean invalidated,
      int invalidatedTag) implements WorkCompletion {

    static Held flushed(long id, Opcode opcode) {
      return new Held(id, opcode, Status.FLUSHED, 0, false, 0);
    }

    static Held copyOf(WorkCompletion completion) {
      return new Held(completion.id(), completion.opcode(), completion.status(),
          completion.byteLength(), false, 0);
    }
  }

  private final ConnectionOptions options;
  private final Random delays;
  private final int maxTurns;
  private final ArrayDeque<Held> held = new ArrayDeque<>();
  private int turnsLeft;
  private boolean scheduled;
  private int sends;
  private int reads;
  private boolean ending;
  private int postsWhileEnding;

  DelayedQueuePair(QueuePair delegate, ConnectionOptions options, Random delays, int maxTurns) {
    super(delegate);
    this.options = options;
    this.delays = delays;
    this.maxTurns = maxTurns;
  }

  @Override
  Upcalls upcalls() {
    return new Delaying();
  }

  private void hold(WorkCompletion completion) {
    if (held.isEmpty()) {
      turnsLeft = delays.nextInt(maxTurns + 1);
    }
    held.add(Held.copyOf(completion));
    schedule();
  }

  private void schedule() {
    if (!scheduled) {
      scheduled = true;
      delegate.context().runOnContext(ignored -> turn());
    }
  }

  private void turn() {
    scheduled = false;
    boolean any = false;
    while (!held.isEmpty() && turnsLeft-- <= 0) {
      deliverHead();
      any = true;
      turnsLeft = delays.nextInt(maxTurns + 1);
    }
    if (any) {
      handler.batchEnd();
    }
    if (!held.isEmpty()) {
      schedule();
    }
  }

  private void deliverHead() {
    Held next = held.poll();
    if (next.opcode() != WorkCompletion.Opcode.RECEIVE) {
      sends--;
    }
    if (next.opcode() == WorkCompletion.Opcode.READ) {
      reads--;
    }
    handler.completed(next);
  }

  private void deliverAll() {
    while (!held.isEmpty()) {
      deliverHead();
    }
  }

  /**
   * Held completions may be delivered when the delegate is gone already. To the consumer the queue
   * pair is still going down, so what it posts then is flushed here.
   */
  private boolean endsNow(long id, WorkCompletion.Opcode opcode) {
    if (!ending) {
      return false;
    }
    if (postsWhileEnding++ >= options.sendQueueDepth() + options.receiveQueueDepth()) {
      throw new IllegalStateException("The queue pair is disconnected");
    }
    held.add(Held.flushed(id, opcode));
    return true;
  }

  /** The consumer must see the queue as full as its own view of completions makes it. */
  private void checkRoom() {
    if (sends >= options.sendQueueDepth()) {
      throw new IllegalStateException("The send queue is full");
    }
  }

  @Override
  public void postSend(long id, LocalMemory memory, int offset, int length) {
    checkRoom();
    if (!endsNow(id, WorkCompletion.Opcode.SEND)) {
      delegate.postSend(id, memory, offset, length);
    }
    sends++;
  }

  @Override
  public void postSendWithInvalidate(long id, LocalMemory memory, int offset, int length,
      int remoteTag) {
    checkRoom();
    if (!endsNow(id, WorkCompletion.Opcode.SEND)) {
      delegate.postSendWithInvalidate(id, memory, offset, length, remoteTag);
    }
    sends++;
  }

  @Override
  public void postWrite(long id, LocalMemory memory, int offset, int length, int remoteTag,
      long remoteOffset) {
    checkRoom();
    if (!endsNow(id, WorkCompletion.Opcode.WRITE)) {
      delegate.postWrite(id, memory, offset, length, remoteTag, remoteOffset);
    }
    sends++;
  }

  @Override
  public void postRead(long id, LocalMemory memory, int offset, int length, int remoteTag,
      long remoteOffset) {
    checkRoom();
    if (reads > 0 && reads >= delegate.outboundReads()) {
      throw new IllegalStateException("All Reads (ORD) are outstanding");
    }
    if (!endsNow(id, WorkCompletion.Opcode.READ)) {
      delegate.postRead(id, memory, offset, length, remoteTag, remoteOffset);
    }
    sends++;
    reads++;
  }

  @Override
  public void postReceive(long id, LocalMemory memory, int offset, int length) {
    if (!endsNow(id, WorkCompletion.Opcode.RECEIVE)) {
      delegate.postReceive(id, memory, offset, length);
    }
  }

  @Override
  public void flush() {
    if (ending) {
      return;
    }
    delegate.flush();
  }

  private final class Delaying extends Upcalls {

    @Override
    public void completed(WorkCompletion completion) {
      if (completion.status() != WorkCompletion.Status.SUCCESS) {
        // The connection ends: what is held comes before what is flushed.
        deliverAll();
      }
      if (completion.opcode() == WorkCompletion.Opcode.RECEIVE) {
        handler.completed(completion);
      } else if (completion.status() == WorkCompletion.Status.SUCCESS) {
        hold(completion);
      } else {
        held.add(Held.copyOf(completion));
        deliverHead();
      }
    }

    @Override
    public void disconnected(DisconnectReason reason) {
      ending = true;
      deliverAll();
      ending = false;
      handler.disconnected(reason);
    }
  }
}
