// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.queue;

import dev.rpcrdma.ibverbs.ffi.Layouts;
import dev.rpcrdma.ibverbs.ffi.NativeException;
import dev.rpcrdma.ibverbs.ffi.Numbers;
import dev.rpcrdma.ibverbs.ffi.QueueFunctions;
import dev.rpcrdma.ibverbs.memory.PairMemory;
import dev.rpcrdma.ibverbs.memory.SharedMemory;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import dev.rpcrdma.verbs.support.Completion;
import java.nio.ByteBuffer;
import java.util.OptionalInt;

/**
 * The send queue: what is posted becomes a native request at once, and goes to the device, all that can in one chain,
 * when it was rung for and its memory is registered. None goes before a Receive that was posted earlier: it may be what
 * tells the peer that it can send. On the owning loop.
 */
public final class IbverbsSendQueue {

  /** The device's name for a fence; requests have numbers that are not negative. */
  public static final long FENCE = -1;
  /** The device's name for a nudge. */
  public static final long NUDGE = -2;
  /** How many requests it needs room for beyond its depth: a fence and a nudge. */
  public static final int EXTRA = 2;

  private final QueueFunctions functions;
  private final long pair;
  private final int inline;
  private final SendLedger ledger;
  private final WorkRequests requests;
  private final PostedMemory memory;
  private final int[] lengths;
  /** How many Receives were posted before each. */
  private final long[] receivesBefore;
  private final int mask;
  private final int fenceSlot;
  private final int nudgeSlot;
  /** The first request that was not rung for, and the first one that the device does not have. */
  private long rung;
  private long submitted;

  /**
   * An empty queue.
   *
   * @param functions of the device
   * @param pair the native queue pair, with room for {@link #EXTRA} requests more than the depth
   * @param depth most requests posted and not told of
   * @param inline longest Send or Write whose bytes are copied when it is posted
   * @param memory that is posted
   */
  public IbverbsSendQueue(QueueFunctions functions, long pair, int depth, int inline, PairMemory memory) {
    this.functions = functions;
    this.pair = pair;
    this.inline = inline;
    ledger = new SendLedger(depth);
    int slots = Integer.highestOneBit(Math.max(1, 2 * depth - 1));
    mask = slots - 1;
    fenceSlot = slots;
    nudgeSlot = slots + 1;
    requests = new WorkRequests(slots + EXTRA, true);
    this.memory = new PostedMemory(memory, requests, slots);
    lengths = new int[slots];
    receivesBefore = new long[slots];
  }

  /** Whether nothing more can be posted. */
  public boolean isFull() {
    return ledger.isFull();
  }

  /** Whether all is told of. */
  public boolean isEmpty() {
    return ledger.isEmpty();
  }

  /** Reads that are not told of. */
  public int reads() {
    return ledger.reads();
  }

  /** Whether all that was rung for is over. */
  public boolean isIdle() {
    return ledger.over() >= rung;
  }

  /**
   * Takes a request.
   *
   * @param id of the consumer
   * @param opcode its kind
   * @param source checked memory
   * @param offset first byte
   * @param length number of bytes
   * @param tag the peer's, or the one to invalidate
   * @param remoteOffset under that tag
   * @param invalidate whether a Send invalidates the tag
   * @param reaches whether the device will see it, so that its memory has to be registered
   * @param receives how many Receives were posted before
   */
  public void post(long id, Opcode opcode, SharedMemory source, int offset, int length, int tag, long remoteOffset,
      boolean invalidate, boolean reaches, long receives) {
    memory.use(source);
    int slot = (int) ledger.posted(id, opcode) & mask;
    receivesBefore[slot] = receives;
    lengths[slot] = length;
    // A mapped file may have lost its pages, which would end the process when they are copied.
    boolean copied = length <= inline && opcode != Opcode.READ && !source.mapped();
    memory.begin(slot, source, offset, length, reaches && !copied, false);
    ByteBuffer buffer = requests.buffer();
    int at = requests.at(slot);
    buffer.putInt(at + Layouts.SendWr.OPCODE, opcode(opcode, invalidate));
    buffer.putInt(at + Layouts.SendWr.SEND_FLAGS,
        (copied && length > 0 ? Numbers.SEND_INLINE : 0) | (opcode == Opcode.READ ? Numbers.SEND_SIGNALED : 0));
    buffer.putInt(at + Layouts.SendWr.INVALIDATE_RKEY, tag);
    buffer.putLong(at + Layouts.SendWr.REMOTE_ADDR, remoteOffset);
    // Also of a Send With Invalidate: libsiw takes it from here.
    buffer.putInt(at + Layouts.SendWr.RKEY, tag);
  }

  private static int opcode(Opcode opcode, boolean invalidate) {
    return switch (opcode) {
      case SEND -> invalidate ? Numbers.WR_SEND_WITH_INV : Numbers.WR_SEND;
      case WRITE -> Numbers.WR_RDMA_WRITE;
      case READ -> Numbers.WR_RDMA_READ;
      case RECEIVE -> throw new IllegalArgumentException("Not of the send queue");
    };
  }

  /** All that was posted may go to the device. */
  public void ring() {
    rung = ledger.tail();
  }

  /**
   * Gives the device all that it may have and whose memory is registered, up to the first that has to wait.
   *
   * @param receives how many Receives the device has been given
   * @throws NativeException if it refuses
   */
  public void submit(long receives) throws NativeException {
    while (submitted < rung) {
      int slot = (int) submitted & mask;
      if (receivesBefore[slot] > receives || !memory.resolve(slot)) {
        break;
      }
      int at = requests.at(slot);
      requests.buffer().putLong(at + Layouts.SendWr.WR_ID, submitted);
      requests.chain(slot);
      submitted++;
    }
    int last = requests.last();
    if (last < 0) {
      return;
    }
    // Its completion tells of all before it.
    int flags = requests.at(last) + Layouts.SendWr.SEND_FLAGS;
    requests.buffer().putInt(flags, requests.buffer().getInt(flags) | Numbers.SEND_SIGNALED);
    give();
  }

  private void give() throws NativeException {
    int result = functions.postSend(pair, requests.takeChain(), requests.bad());
    if (result != 0) {
      throw new NativeException("ibv_post_send", result);
    }
  }

  /**
   * Gives the device a Write of no bytes, behind all else that it has.
   *
   * @throws NativeException if it refuses
   */
  public void fence() throws NativeException {
    giveEmptyWrite(fenceSlot, FENCE);
  }

  /**
   * Gives the device a Write of no bytes, so that something comes to the peer; not while another one is with it.
   *
   * @throws NativeException if it refuses
   */
  public void nudge() throws NativeException {
    giveEmptyWrite(nudgeSlot, NUDGE);
  }

  private void giveEmptyWrite(int slot, long name) throws NativeException {
    ByteBuffer buffer = requests.buffer();
    int at = requests.at(slot);
    buffer.putLong(at + Layouts.SendWr.WR_ID, name);
    buffer.putInt(at + Layouts.SendWr.OPCODE, Numbers.WR_RDMA_WRITE);
    buffer.putInt(at + Layouts.SendWr.SEND_FLAGS, Numbers.SEND_SIGNALED);
    requests.chain(slot);
    give();
  }

  /**
   * The device has completed a request, and with it all before.
   *
   * @param number of the request
   * @param status of this one
   * @return false if there is no such request: the device is not to be trusted any more
   */
  public boolean completed(long number, Status status) {
    return number < submitted && ledger.completed(number, status);
  }

  /**
   * Returns the peer's tag that a request names.
   *
   * @param number of a request that is not told of
   * @return empty for a Send that invalidates none
   */
  public OptionalInt tag(long number) {
    int at = requests.at((int) number & mask);
    return requests.buffer().getInt(at + Layouts.SendWr.OPCODE) == Numbers.WR_SEND ? OptionalInt.empty()
        : OptionalInt.of(requests.buffer().getInt(at + Layouts.SendWr.RKEY));
  }

  /** The device tells of nothing any more. */
  public void flush() {
    rung = ledger.tail();
    submitted = rung;
    ledger.flush();
  }

  /**
   * Takes the oldest request if it is over.
   *
   * @param into filled
   * @return false if it is not, or there is none
   * @throws InternalError if a Read was into a mapped file that has been truncated
   */
  public boolean next(Completion into) {
    int slot = (int) ledger.head() & mask;
    if (!ledger.next(into)) {
      return false;
    }
    try {
      if (into.opcode() == Opcode.READ && into.status() == Status.SUCCESS) {
        memory.placed(slot, lengths[slot]);
      }
      return true;
    } finally {
      memory.end(slot);
    }
  }
}
