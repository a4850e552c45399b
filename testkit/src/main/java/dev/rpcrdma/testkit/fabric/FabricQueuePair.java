// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.testkit.fabric.WorkQueues.PostedReceive;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.QueuePairSetup;
import dev.rpcrdma.verbs.TransportFact;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.support.HostMemory;
import dev.rpcrdma.verbs.support.HostProtectionDomain;
import dev.rpcrdma.verbs.support.HostQueuePair;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.List;

/** A queue pair: checks what the consumer posts, and hands it to its {@link Endpoint}. */
final class FabricQueuePair extends HostQueuePair {

  private final Endpoint endpoint;
  private final Buffer privateData;
  private final int outboundReads;
  private final int inboundReads;

  /**
   * Creates one that is not set up.
   *
   * @param context as named by the consumer
   * @param domain of the memory that will be posted
   * @param endpoint on the loop of that context
   * @param localAddress of this side
   * @param remoteAddress of the other one
   * @param privateData of the peer; it belongs to this from now on
   * @param outboundReads ORD as negotiated
   * @param inboundReads IRD as negotiated
   */
  FabricQueuePair(Context context, HostProtectionDomain domain, Endpoint endpoint, SocketAddress localAddress,
      SocketAddress remoteAddress, Buffer privateData, int outboundReads, int inboundReads) {
    super(context, domain, endpoint.life().gate(), localAddress, remoteAddress);
    this.endpoint = endpoint;
    this.privateData = privateData;
    this.outboundReads = outboundReads;
    this.inboundReads = inboundReads;
  }

  Endpoint endpoint() {
    return endpoint;
  }

  /** Calls the consumer's setup; what it throws is thrown. */
  void setUp(QueuePairSetup setup) {
    endpoint.life().setUp(() -> setup.setup(this));
  }

  @Override
  public Buffer privateData() {
    return privateData.copy();
  }

  @Override
  public int outboundReads() {
    return outboundReads;
  }

  @Override
  public long bytesRead() {
    return endpoint.queues().bytesRead();
  }

  @Override
  public long bytesServed() {
    return endpoint.placement().bytesServed();
  }

  @Override
  public List<TransportFact> transportFacts() {
    return List.of(new TransportFact("Fabric", "memory of this process, without sockets"),
        new TransportFact("Read depths", outboundReads + " outbound, " + inboundReads + " inbound"));
  }

  @Override
  protected boolean isOpen() {
    return endpoint.life().isOpen();
  }

  @Override
  protected boolean isReceiveQueueFull() {
    return endpoint.queues().isReceiveQueueFull();
  }

  @Override
  protected boolean isSendQueueFull() {
    return endpoint.queues().isSendQueueFull();
  }

  @Override
  protected int reads() {
    return endpoint.queues().reads();
  }

  @Override
  protected void receive(long id, HostMemory sink, int offset, int length) {
    endpoint.queues().post(new PostedReceive(id, sink, offset, length));
  }

  @Override
  protected void request(long id, Opcode opcode, HostMemory memory, int offset, int length, int tag,
      long remoteOffset, boolean invalidate) {
    if (length > FabricDevice.MAX_MESSAGE) {
      throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT, "A message of " + length
          + " bytes is longer than the " + FabricDevice.MAX_MESSAGE + " that memory takes");
    }
    endpoint.queues().post(new FabricWorkRequest(id, opcode, memory, offset, length, tag, remoteOffset, invalidate));
  }

  @Override
  protected void ring() {
    endpoint.flush();
  }

  @Override
  protected Exposure exposeChecked(Object owner, HostMemory memory, int offset, int length, Access access) {
    return told(endpoint.exposures().expose(owner, memory, offset, length, access));
  }

  @Override
  protected Exposure exposeNothing(Object owner, int length, VerbsException why) {
    return told(FabricExposure.failed(owner, length, why));
  }

  private FabricExposure told(FabricExposure exposure) {
    endpoint.life().upcalls().exposedLater(exposure);
    endpoint.life().turnLater();
    return exposure;
  }

  @Override
  protected boolean isOwn(Exposure exposure) {
    return exposure instanceof FabricExposure own && endpoint.exposures().has(own);
  }

  @Override
  protected void revokeChecked(Exposure exposure) {
    FabricExposure own = (FabricExposure) exposure;
    endpoint.exposures().revoke(own);
    endpoint.life().upcalls().revokedLater(own);
    endpoint.life().turnLater();
  }

  @Override
  public int exposures() {
    return endpoint.exposures().size();
  }

  @Override
  public Future<Void> close() {
    return endpoint.close();
  }
}
