// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.pair;

import dev.rpcrdma.ibverbs.completion.CompletionChannel;
import dev.rpcrdma.ibverbs.completion.CompletionQueue;
import dev.rpcrdma.ibverbs.connect.CmId;
import dev.rpcrdma.ibverbs.device.RdmaDevice;
import dev.rpcrdma.ibverbs.ffi.Layouts;
import dev.rpcrdma.ibverbs.ffi.NativeException;
import dev.rpcrdma.ibverbs.ffi.NativeMemory;
import dev.rpcrdma.ibverbs.ffi.Numbers;
import dev.rpcrdma.ibverbs.ffi.QueueFunctions;
import dev.rpcrdma.ibverbs.ffi.RdmaCore;
import dev.rpcrdma.ibverbs.memory.PairDomain;
import dev.rpcrdma.ibverbs.queue.IbverbsSendQueue;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import java.nio.ByteBuffer;

/**
 * What is native of one connection. Made and destroyed on workers.
 *
 * @param id of connection management
 * @param domain of its own
 * @param completions of both queues
 * @param functions of the device
 * @param handle a {@code struct ibv_qp}
 * @param inline longest Send or Write whose bytes it takes into the request
 */
public record NativePair(CmId id, PairDomain domain, CompletionQueue completions, QueueFunctions functions,
    long handle, int inline) {

  /**
   * Makes all that a connection needs.
   *
   * @param core the libraries
   * @param device its device
   * @param id which leads to the device
   * @param options depths
   * @param inlineBytes what is wanted
   * @param channel of the owning loop
   * @return to be destroyed
   * @throws VerbsException of kind RESOURCES if the device has no more, or none like that
   */
  public static NativePair create(RdmaCore core, RdmaDevice device, CmId id, ConnectionOptions options,
      int inlineBytes, CompletionChannel channel) {
    PairDomain domain = PairDomain.allocate(core, device.context());
    CompletionQueue completions = null;
    try {
      QueueFunctions functions = new QueueFunctions(device.context());
      completions = CompletionQueue.create(core, functions, device.context(),
          options.sendQueueDepth() + IbverbsSendQueue.EXTRA + options.receiveQueueDepth(), channel);
      NativeMemory attributes = NativeMemory.allocate(Layouts.QpInitAttr.SIZE);
      long handle = create(id, domain, completions, options, inlineBytes, attributes);
      return new NativePair(id, domain, completions, functions, handle,
          attributes.buffer().getInt(Layouts.QpInitAttr.MAX_INLINE_DATA));
    } catch (Throwable e) {
      if (completions != null) {
        completions.destroy();
      }
      domain.close();
      throw e;
    }
  }

  private static long create(CmId id, PairDomain domain, CompletionQueue completions, ConnectionOptions options,
      int inlineBytes, NativeMemory attributes) {
    int inline = inlineBytes;
    while (true) {
      fill(attributes.buffer(), completions, options, inline);
      try {
        return id.createQueuePair(domain.handle(), attributes);
      } catch (NativeException e) {
        // Devices differ in how much they take, and do not say it before.
        if (inline == 0) {
          throw new VerbsException(Kind.RESOURCES, "No queue pair for " + options.sendQueueDepth() + " requests and "
              + options.receiveQueueDepth() + " Receives: " + e.getMessage(), e);
        }
        inline /= 2;
      }
    }
  }

  private static void fill(ByteBuffer attributes, CompletionQueue completions, ConnectionOptions options,
      int inline) {
    attributes.putLong(Layouts.QpInitAttr.SEND_CQ, completions.handle())
        .putLong(Layouts.QpInitAttr.RECV_CQ, completions.handle())
        .putInt(Layouts.QpInitAttr.MAX_SEND_WR, options.sendQueueDepth() + IbverbsSendQueue.EXTRA)
        .putInt(Layouts.QpInitAttr.MAX_RECV_WR, options.receiveQueueDepth())
        .putInt(Layouts.QpInitAttr.MAX_SEND_SGE, 1)
        .putInt(Layouts.QpInitAttr.MAX_RECV_SGE, 1)
        .putInt(Layouts.QpInitAttr.MAX_INLINE_DATA, inline)
        .putInt(Layouts.QpInitAttr.QP_TYPE, Numbers.QPT_RC)
        .putInt(Layouts.QpInitAttr.SQ_SIG_ALL, 0);
  }

  /** The device has no more use for any memory. Completions can still be polled. */
  public void destroyQueues() {
    id.destroyQueuePair();
    domain.close();
  }

  /** All is gone. */
  public void destroy() {
    completions.destroy();
    id.destroy();
  }
}
