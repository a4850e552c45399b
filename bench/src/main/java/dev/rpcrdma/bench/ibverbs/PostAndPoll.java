// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.ibverbs;

import dev.rpcrdma.ibverbs.ffi.Layouts;
import dev.rpcrdma.ibverbs.ffi.NativeException;
import dev.rpcrdma.ibverbs.ffi.NativeMemory;
import dev.rpcrdma.ibverbs.ffi.QueueFunctions;
import dev.rpcrdma.ibverbs.memory.SharedDomain;
import dev.rpcrdma.ibverbs.memory.SharedMemory;
import dev.rpcrdma.ibverbs.queue.IbverbsReceiveQueue;
import dev.rpcrdma.ibverbs.queue.IbverbsSendQueue;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import dev.rpcrdma.verbs.support.Completion;
import java.nio.ByteBuffer;

/** The queues of provider {@code ibverbs}, as its connections use them for small messages. */
public final class PostAndPoll {

  private static final int DEPTH = 64;
  private static final int BATCH = 32;
  private static final int LENGTH = 64;

  private final QueueFunctions functions;
  private final SharedMemory memory;
  private final IbverbsSendQueue sends;
  private final IbverbsReceiveQueue receives;
  private final NativeMemory completions = NativeMemory.allocate(BATCH * Layouts.Wc.SIZE);
  private final Completion completion = new Completion();

  /**
   * Empty queues.
   *
   * @param device that completes at once
   */
  public PostAndPoll(NoDevice device) {
    functions = new QueueFunctions(device.device());
    memory = (SharedMemory) new SharedDomain().register(ByteBuffer.allocateDirect(DEPTH * LENGTH),
        LocalMemory.Backing.MEMORY).result();
    // What is copied into the request, or never reaches a device, is not registered.
    sends = new IbverbsSendQueue(functions, 0, DEPTH, LENGTH, null);
    receives = new IbverbsReceiveQueue(functions, 0, DEPTH, null);
  }

  /**
   * Posts Receives and Sends, polls, and takes what is over.
   *
   * @param count how often
   * @param chain how many of each, each time
   * @return how many were over
   * @throws NativeException never
   */
  public long rounds(long count, int chain) throws NativeException {
    long over = 0;
    for (long round = 0; round < count; round++) {
      for (int i = 0; i < chain; i++) {
        receives.post(i, memory, i * LENGTH, LENGTH, false, false);
        sends.post(i, Opcode.SEND, memory, i * LENGTH, LENGTH, 0, 0, false, true, receives.posted());
      }
      receives.submit();
      sends.ring();
      sends.submit(receives.submitted());
      over += poll();
    }
    return over;
  }

  private long poll() throws NativeException {
    long over = 0;
    int found;
    do {
      found = functions.pollCq(0, BATCH, completions.address());
      for (int i = 0; i < found; i++) {
        over += completed(i * Layouts.Wc.SIZE);
      }
    } while (found == BATCH);
    while (sends.next(completion)) {
      over++;
    }
    return over;
  }

  private int completed(int at) {
    ByteBuffer fields = completions.buffer();
    long request = fields.getLong(at + Layouts.Wc.WR_ID);
    if (fields.getInt(at + Layouts.Wc.STATUS) != 0) {
      throw new IllegalStateException("A request has failed");
    }
    if ((request & IbverbsReceiveQueue.RECEIVE) == 0) {
      sends.completed(request, Status.SUCCESS);
      return 0;
    }
    if (!receives.isOldest(request)) {
      throw new IllegalStateException("Out of turn");
    }
    receives.take(fields.getInt(at + Layouts.Wc.BYTE_LEN));
    return 1;
  }
}
