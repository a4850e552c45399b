// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.completion;

import dev.rpcrdma.ibverbs.ffi.Layouts;
import dev.rpcrdma.ibverbs.ffi.NativeException;
import dev.rpcrdma.ibverbs.ffi.NativeMemory;
import dev.rpcrdma.ibverbs.ffi.QueueFunctions;
import dev.rpcrdma.ibverbs.ffi.RdmaCore;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** The completion queue of one queue pair, for both its queues. On the owning loop, except where said. */
public final class CompletionQueue {

  /** Most completions that one poll takes. */
  private static final int BATCH = 32;

  private static final AtomicLong NAMES = new AtomicLong();

  private final RdmaCore core;
  private final QueueFunctions functions;
  private final CompletionChannel channel;
  private final long name;
  private final NativeMemory completions = NativeMemory.allocate(BATCH * Layouts.Wc.SIZE);
  private long handle;

  private CompletionQueue(RdmaCore core, QueueFunctions functions, CompletionChannel channel, long name, long handle) {
    this.core = core;
    this.functions = functions;
    this.channel = channel;
    this.name = name;
    this.handle = handle;
  }

  /**
   * Makes one. From any thread; takes system calls.
   *
   * @param core the libraries
   * @param functions of the device
   * @param context of the device
   * @param entries most work requests that can be over and not polled
   * @param channel where its events are raised
   * @return an empty queue, to be destroyed behind its queue pair
   * @throws VerbsException of kind RESOURCES if the device has no more
   */
  public static CompletionQueue create(RdmaCore core, QueueFunctions functions, long context, int entries,
      CompletionChannel channel) {
    long name = NAMES.incrementAndGet();
    try {
      long handle = core.made("ibv_create_cq",
          core.verbs().ibvCreateCq(context, entries, name, channel.handle(), 0));
      return new CompletionQueue(core, functions, channel, name, handle);
    } catch (NativeException e) {
      throw new VerbsException(Kind.RESOURCES, "No completion queue of " + entries + " entries for another connection: "
          + e.getMessage(), e);
    }
  }

  /** What a queue pair is made with: a {@code struct ibv_cq}. */
  public long handle() {
    if (handle == 0) {
      throw new IllegalStateException("The completion queue is destroyed");
    }
    return handle;
  }

  /**
   * Begins to have events told.
   *
   * @param event called on the loop after a completion, once for each {@link #arm}
   * @param failed called on the loop when no event will ever be told
   */
  public void listen(Runnable event, Consumer<NativeException> failed) {
    channel.add(name, event, failed);
  }

  /** Tells of no event any more. */
  public void deafen() {
    channel.remove(name);
  }

  /**
   * Has the next completion raise an event.
   *
   * @throws NativeException if the device refuses
   */
  public void arm() throws NativeException {
    int result = functions.reqNotifyCq(handle());
    if (result != 0) {
      throw new NativeException("ibv_req_notify_cq", result);
    }
  }

  /**
   * Takes completions.
   *
   * @return how many there were; more may be there if they are as many as {@link #isFull} says
   * @throws NativeException if the queue is broken
   */
  public int poll() throws NativeException {
    int found = functions.pollCq(handle(), BATCH, completions.address());
    if (found < 0) {
      throw new NativeException("ibv_poll_cq", found);
    }
    return found;
  }

  /** Whether a poll has taken as many as it can. */
  public static boolean isFull(int found) {
    return found == BATCH;
  }

  /** The request's name, of a completion that was polled last. */
  public long request(int index) {
    return fields().getLong(index * Layouts.Wc.SIZE + Layouts.Wc.WR_ID);
  }

  /** A number of {@code enum ibv_wc_status}. */
  public int status(int index) {
    return fields().getInt(index * Layouts.Wc.SIZE + Layouts.Wc.STATUS);
  }

  /** How many bytes a message has. */
  public int length(int index) {
    return fields().getInt(index * Layouts.Wc.SIZE + Layouts.Wc.BYTE_LEN);
  }

  private ByteBuffer fields() {
    return completions.buffer();
  }

  /**
   * Ends it; its queue pair has gone, and nothing is told any more. From any thread; takes a system call. Idempotent.
   */
  public synchronized void destroy() {
    if (handle != 0) {
      long last = handle;
      handle = 0;
      core.verbs().ibvDestroyCq(last);
    }
  }
}
