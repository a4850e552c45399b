// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.ffi;

import com.kenai.jffi.CallContext;
import com.kenai.jffi.CallingConvention;
import com.kenai.jffi.Invoker;
import com.kenai.jffi.Type;
import java.nio.ByteBuffer;

/**
 * What a device's own library does for each post and poll. rdma-core declares it inline, and calls it by the addresses
 * in {@code ibv_context}. Calls make no garbage. From any thread, as far as the objects allow it.
 */
public final class QueueFunctions {

  private static final Invoker INVOKER = Invoker.getInstance();
  private static final CallContext POLL =
      context(Type.POINTER, Type.SINT, Type.POINTER);
  private static final CallContext NOTIFY = context(Type.POINTER, Type.SINT);
  private static final CallContext POST = context(Type.POINTER, Type.POINTER, Type.POINTER);

  private final long pollCq;
  private final long reqNotifyCq;
  private final long postSend;
  private final long postRecv;

  /**
   * Those of a device.
   *
   * @param context an {@code ibv_context}
   */
  public QueueFunctions(long context) {
    ByteBuffer fields = NativeMemory.view(context, Layouts.Context.ASYNC_FD + Integer.BYTES);
    pollCq = fields.getLong(Layouts.Context.POLL_CQ);
    reqNotifyCq = fields.getLong(Layouts.Context.REQ_NOTIFY_CQ);
    postSend = fields.getLong(Layouts.Context.POST_SEND);
    postRecv = fields.getLong(Layouts.Context.POST_RECV);
  }

  private static CallContext context(Type... parameters) {
    return CallContext.getCallContext(Type.SINT, parameters, CallingConvention.DEFAULT, false);
  }

  /**
   * Takes completions off a queue.
   *
   * @param queue a completion queue
   * @param most how many
   * @param completions room for them
   * @return how many there were; negative if the queue is broken
   */
  public int pollCq(long queue, int most, long completions) {
    return (int) INVOKER.invokeN3(POLL, pollCq, queue, most, completions);
  }

  /**
   * Has the next completion raise an event.
   *
   * @param queue a completion queue
   * @return 0, or an error number of either sign
   */
  public int reqNotifyCq(long queue) {
    return (int) INVOKER.invokeN2(NOTIFY, reqNotifyCq, queue, 0);
  }

  /**
   * Posts to the send queue.
   *
   * @param pair a queue pair
   * @param first of a chain of work requests
   * @param bad where the address of the one that was not posted is put
   * @return 0, or an error number of either sign
   */
  public int postSend(long pair, long first, long bad) {
    return (int) INVOKER.invokeN3(POST, postSend, pair, first, bad);
  }

  /**
   * Posts to the receive queue.
   *
   * @param pair a queue pair
   * @param first of a chain of work requests
   * @param bad where the address of the one that was not posted is put
   * @return 0, or an error number of either sign
   */
  public int postRecv(long pair, long first, long bad) {
    return (int) INVOKER.invokeN3(POST, postRecv, pair, first, bad);
  }
}
