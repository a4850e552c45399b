// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.connect;

import dev.rpcrdma.ibverbs.ffi.Layouts;
import dev.rpcrdma.ibverbs.ffi.NativeException;
import dev.rpcrdma.ibverbs.ffi.NativeMemory;
import dev.rpcrdma.ibverbs.ffi.Numbers;
import dev.rpcrdma.ibverbs.ffi.RdmaCore;
import dev.rpcrdma.ibverbs.ffi.SocketAddresses;
import java.lang.ref.Reference;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/**
 * A {@code rdma_cm_id}: a listener, or an end of a connection. Its functions take system calls, and some wait for the
 * peer: on a worker, one at a time. None can be called once it is destroyed.
 */
public final class CmId {

  private static final int BYTES = 352;
  /** How often a message is sent again that the peer's device does not acknowledge, or takes no part of: 7 and 1. */
  private static final byte RETRIES = 7;
  private static final byte RETRIES_WITHOUT_RECEIVE = 1;

  private final RdmaCore core;
  private final CmChannel channel;
  private volatile long handle;

  private CmId(RdmaCore core, CmChannel channel, long handle) {
    this.core = core;
    this.channel = channel;
    this.handle = handle;
  }

  /**
   * Makes one.
   *
   * @param core the libraries
   * @param channel where its events are raised
   * @param events gets them, on the channel's thread
   * @return to be destroyed
   * @throws NativeException if there can be no more
   */
  public static CmId create(RdmaCore core, CmChannel channel, Consumer<CmEvent> events) throws NativeException {
    long[] made = {0};
    core.check("rdma_create_id", core.cm().rdmaCreateId(channel.handle(), made, 0, Numbers.PS_TCP));
    channel.add(made[0], events);
    return new CmId(core, channel, made[0]);
  }

  /**
   * Takes the one that librdmacm has made for a connection that a peer asks for. In the event's handler.
   *
   * @param core the libraries
   * @param channel of the listener
   * @param request the event
   * @param events gets those that follow, on the channel's thread
   * @return to be destroyed
   */
  public static CmId adopt(RdmaCore core, CmChannel channel, CmEvent request, Consumer<CmEvent> events) {
    channel.add(request.id(), events);
    return new CmId(core, channel, request.id());
  }

  private long handle() {
    long now = handle;
    if (now == 0) {
      throw new IllegalStateException("The connection identifier is destroyed");
    }
    return now;
  }

  /**
   * Takes an address of this host.
   *
   * @param address port 0 for any
   * @throws NativeException if it cannot be had
   */
  public void bind(InetSocketAddress address) throws NativeException {
    core.check("rdma_bind_addr", core.cm().rdmaBindAddr(handle(), SocketAddresses.toNative(address)));
  }

  /**
   * Listens at the address that it is bound to.
   *
   * @param backlog how many may wait until this process looks
   * @throws NativeException if it cannot
   */
  public void listen(int backlog) throws NativeException {
    core.check("rdma_listen", core.cm().rdmaListen(handle(), backlog));
  }

  /**
   * Finds the device that leads to a peer; an event tells.
   *
   * @param peer resolved
   * @param millis for how long to try
   * @throws NativeException if there is none
   */
  public void resolveAddress(InetSocketAddress peer, int millis) throws NativeException {
    core.check("rdma_resolve_addr",
        core.cm().rdmaResolveAddr(handle(), null, SocketAddresses.toNative(peer), millis));
  }

  /**
   * Finds the way to the peer; an event tells.
   *
   * @param millis for how long to try
   * @throws NativeException if there is none
   */
  public void resolveRoute(int millis) throws NativeException {
    core.check("rdma_resolve_route", core.cm().rdmaResolveRoute(handle(), millis));
  }

  /**
   * Makes its queue pair.
   *
   * @param domain a {@code struct ibv_pd}
   * @param attributes a {@code struct ibv_qp_init_attr}, which is told what the device gives
   * @return a {@code struct ibv_qp}
   * @throws NativeException if the device has no more, or none like that
   */
  public long createQueuePair(long domain, NativeMemory attributes) throws NativeException {
    core.check("rdma_create_qp", core.cm().rdmaCreateQp(handle(), domain, attributes.address()));
    Reference.reachabilityFence(attributes);
    return NativeMemory.view(handle(), BYTES).getLong(Layouts.CmId.QP);
  }

  /** Destroys its queue pair, if it has one: the device has no more use for what was posted. */
  public synchronized void destroyQueuePair() {
    if (handle != 0 && NativeMemory.view(handle, BYTES).getLong(Layouts.CmId.QP) != 0) {
      core.cm().rdmaDestroyQp(handle);
    }
  }

  /**
   * Connects; an event tells. Software iWARP waits here until the peer's host has answered.
   *
   * @param parameters of this side
   * @throws NativeException if the peer's host refuses
   */
  public void connect(Parameters parameters) throws NativeException {
    NativeMemory memory = parameters.toNative();
    core.check("rdma_connect", core.cm().rdmaConnect(handle(), memory.address()));
    Reference.reachabilityFence(parameters);
    Reference.reachabilityFence(memory);
  }

  /**
   * Accepts; an event tells.
   *
   * @param parameters of this side
   * @throws NativeException if the peer has gone
   */
  public void accept(Parameters parameters) throws NativeException {
    NativeMemory memory = parameters.toNative();
    core.check("rdma_accept", core.cm().rdmaAccept(handle(), memory.address()));
    Reference.reachabilityFence(parameters);
    Reference.reachabilityFence(memory);
  }

  /**
   * Rejects.
   *
   * @param data for the peer
   * @throws NativeException if the peer has gone
   */
  public void reject(byte[] data) throws NativeException {
    core.check("rdma_reject", core.cm().rdmaReject(handle(), data, (byte) data.length));
  }

  /**
   * Disconnects; an event tells when the peer has as well.
   *
   * @throws NativeException if it is not connected
   */
  public void disconnect() throws NativeException {
    core.check("rdma_disconnect", core.cm().rdmaDisconnect(handle()));
  }

  /** The device that it belongs to, an {@code ibv_context}; 0 if to none yet. */
  public long device() {
    return NativeMemory.view(handle(), BYTES).getLong(Layouts.CmId.VERBS);
  }

  /** This side's address. */
  public InetSocketAddress localAddress() {
    return SocketAddresses.toJava(NativeMemory.view(handle(), BYTES), Layouts.CmId.SRC_ADDR);
  }

  /** The peer's address. */
  public InetSocketAddress remoteAddress() {
    return SocketAddresses.toJava(NativeMemory.view(handle(), BYTES), Layouts.CmId.DST_ADDR);
  }

  /** Ends it; its queue pair has gone. Idempotent. */
  public synchronized void destroy() {
    if (handle != 0) {
      long last = handle;
      handle = 0;
      channel.remove(last);
      core.cm().rdmaDestroyId(last);
    }
  }

  /**
   * What one side says when a connection is made.
   *
   * @param privateData for the peer
   * @param inboundReads IRD: how many Reads of the peer are served at a time
   * @param outboundReads ORD: how many this side may have outstanding
   */
  public record Parameters(byte[] privateData, int inboundReads, int outboundReads) {

    private NativeMemory toNative() {
      NativeMemory memory = NativeMemory.allocate(Layouts.ConnParam.SIZE + privateData.length);
      memory.buffer().put(Layouts.ConnParam.SIZE, privateData)
          .putLong(Layouts.ConnParam.PRIVATE_DATA, memory.address() + Layouts.ConnParam.SIZE)
          .put(Layouts.ConnParam.PRIVATE_DATA_LEN, (byte) privateData.length)
          .put(Layouts.ConnParam.RESPONDER_RESOURCES, (byte) inboundReads)
          .put(Layouts.ConnParam.INITIATOR_DEPTH, (byte) outboundReads)
          .put(Layouts.ConnParam.RETRY_COUNT, RETRIES)
          .put(Layouts.ConnParam.RNR_RETRY_COUNT, RETRIES_WITHOUT_RECEIVE);
      return memory;
    }
  }
}
