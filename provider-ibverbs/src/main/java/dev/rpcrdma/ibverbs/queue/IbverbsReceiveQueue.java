// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.queue;

import dev.rpcrdma.ibverbs.ffi.Layouts;
import dev.rpcrdma.ibverbs.ffi.NativeException;
import dev.rpcrdma.ibverbs.ffi.QueueFunctions;
import dev.rpcrdma.ibverbs.memory.PairMemory;
import dev.rpcrdma.ibverbs.memory.SharedMemory;
import dev.rpcrdma.verbs.support.Completion;

/** The receive queue: what is posted goes to the device when its memory is registered. On the owning loop. */
public final class IbverbsReceiveQueue {

  /** Set in the device's names of Receives, which tells them from those of the send queue. */
  public static final long RECEIVE = 1L << 62;

  private final QueueFunctions functions;
  private final long pair;
  private final ReceiveLedger ledger;
  private final WorkRequests requests;
  private final PostedMemory memory;
  private final int mask;
  private long submitted;

  /**
   * An empty queue.
   *
   * @param functions of the device
   * @param pair the native queue pair
   * @param depth most Receives posted and not over
   * @param memory that is posted
   */
  public IbverbsReceiveQueue(QueueFunctions functions, long pair, int depth, PairMemory memory) {
    this.functions = functions;
    this.pair = pair;
    ledger = new ReceiveLedger(depth);
    int slots = Integer.highestOneBit(Math.max(1, 2 * depth - 1));
    mask = slots - 1;
    requests = new WorkRequests(slots, false);
    this.memory = new PostedMemory(memory, requests, slots);
  }

  /** Whether nothing more can be posted. */
  public boolean isFull() {
    return ledger.isFull();
  }

  /** Whether nothing is posted. */
  public boolean isEmpty() {
    return ledger.isEmpty();
  }

  /** How many were ever posted. */
  public long posted() {
    return ledger.tail();
  }

  /** How many of them the device has been given. */
  public long submitted() {
    return submitted;
  }

  /**
   * Takes a Receive.
   *
   * @param id of the consumer
   * @param sink checked memory
   * @param offset first byte
   * @param length longest message
   * @param reaches whether the device will see it, so that its memory has to be registered
   * @param atOnce whether a peer may already send what it is for
   */
  public void post(long id, SharedMemory sink, int offset, int length, boolean reaches, boolean atOnce) {
    memory.use(sink);
    memory.begin((int) ledger.posted(id) & mask, sink, offset, length, reaches, atOnce);
  }

  /**
   * Gives the device all whose memory is registered, up to the first that has to wait.
   *
   * @throws NativeException if it refuses
   */
  public void submit() throws NativeException {
    while (submitted < ledger.tail()) {
      int slot = (int) submitted & mask;
      if (!memory.resolve(slot)) {
        break;
      }
      requests.buffer().putLong(requests.at(slot) + Layouts.RecvWr.WR_ID, RECEIVE | submitted);
      requests.chain(slot);
      submitted++;
    }
    if (requests.last() >= 0) {
      int result = functions.postRecv(pair, requests.takeChain(), requests.bad());
      if (result != 0) {
        throw new NativeException("ibv_post_recv", result);
      }
    }
  }

  /**
   * Whether a message is in the oldest Receive.
   *
   * @param name of the Receive, as the device knows it
   * @return false if the device is not to be trusted any more
   */
  public boolean isOldest(long name) {
    return ledger.isOldest(name & ~RECEIVE);
  }

  /**
   * Takes the oldest Receive, which has a message.
   *
   * @param length of the message
   * @return the consumer's id
   * @throws InternalError if it is in a mapped file that has been truncated; the Receive stays
   */
  public long take(int length) {
    int slot = (int) ledger.head() & mask;
    memory.placed(slot, length);
    memory.end(slot);
    return ledger.take();
  }

  /**
   * Takes the oldest Receive, which no message will come for.
   *
   * @param into filled
   * @return false if there is none
   */
  public boolean nextFlushed(Completion into) {
    int slot = (int) ledger.head() & mask;
    if (!ledger.nextFlushed(into)) {
      return false;
    }
    memory.end(slot);
    return true;
  }
}
