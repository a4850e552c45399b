package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.testkit.fabric.WorkQueues.PostedReceive;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairSetup;
import dev.rpcrdma.verbs.TransportFact;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.support.HostMemory;
import dev.rpcrdma.verbs.support.HostProtectionDomain;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.List;

/** A queue pair: checks what the consumer posts, and hands it to its {@link Endpoint}. */
final class FabricQueuePair implements QueuePair {

  private final Context context;
  private final HostProtectionDomain domain;
  private final Endpoint endpoint;
  private final SocketAddress localAddress;
  private final SocketAddress remoteAddress;
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
    this.context = context;
    this.domain = domain;
    this.endpoint = endpoint;
    this.localAddress = localAddress;
    this.remoteAddress = remoteAddress;
    this.privateData = privateData;
    this.outboundReads = outboundReads;
    this.inboundReads = inboundReads;
  }

  Endpoint endpoint() {
    return endpoint;
  }

  /** Calls the consumer's setup; what it throws is thrown. */
  void setUp(QueuePairSetup setup) {
    endpoint.setUp(() -> setup.setup(this));
  }

  @Override
  public Context context() {
    return context;
  }

  @Override
  public SocketAddress localAddress() {
    return localAddress;
  }

  @Override
  public SocketAddress remoteAddress() {
    return remoteAddress;
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
  public void postReceive(long id, LocalMemory memory, int offset, int length) {
    endpoint.checkPost(true);
    HostMemory checked = HostMemory.checkSink(memory, domain, offset, length);
    endpoint.queues().checkReceiveQueue();
    endpoint.countPost();
    endpoint.queues().post(new PostedReceive(id, checked, offset, length));
  }

  @Override
  public void postSend(long id, LocalMemory memory, int offset, int length) {
    post(new WorkRequest(id, Opcode.SEND, source(memory, offset, length), offset, length, 0, 0, false));
  }

  @Override
  public void postSendWithInvalidate(long id, LocalMemory memory, int offset, int length, int remoteTag) {
    post(new WorkRequest(id, Opcode.SEND, source(memory, offset, length), offset, length, remoteTag, 0, true));
  }

  @Override
  public void postWrite(long id, LocalMemory memory, int offset, int length, int remoteTag, long remoteOffset) {
    post(new WorkRequest(id, Opcode.WRITE, source(memory, offset, length), offset, length, remoteTag, remoteOffset,
        false));
  }

  @Override
  public void postRead(long id, LocalMemory memory, int offset, int length, int remoteTag, long remoteOffset) {
    endpoint.checkPost(false);
    HostMemory sink = HostMemory.checkSink(memory, domain, offset, length);
    if (endpoint.queues().reads() >= outboundReads) {
      throw new IllegalStateException("All " + outboundReads + " Reads (ORD) are outstanding");
    }
    post(new WorkRequest(id, Opcode.READ, sink, offset, length, remoteTag, remoteOffset, false));
  }

  private HostMemory source(LocalMemory memory, int offset, int length) {
    endpoint.checkPost(false);
    return HostMemory.check(memory, domain, offset, length);
  }

  private void post(WorkRequest checked) {
    if (checked.length > FabricDevice.MAX_MESSAGE) {
      throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT, "A message of " + checked.length
          + " bytes is longer than the " + FabricDevice.MAX_MESSAGE + " that memory takes");
    }
    endpoint.queues().checkSendQueue();
    endpoint.countPost();
    endpoint.queues().post(checked);
  }

  @Override
  public void flush() {
    endpoint.checkPost(true);
    endpoint.flush();
  }

  @Override
  public Exposure expose(Object owner, LocalMemory memory, int offset, int length, Access access) {
    endpoint.checkPost(false);
    HostMemory checked = HostMemory.check(memory, domain, offset, length);
    if (length == 0) {
      throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT, "At least one byte must be exposed");
    }
    endpoint.countPost();
    FabricExposure exposure = exposed(owner, checked, offset, length, access);
    endpoint.upcalls().exposedLater(exposure);
    endpoint.deliverLater();
    return exposure;
  }

  private FabricExposure exposed(Object owner, HostMemory memory, int offset, int length, Access access) {
    if (!endpoint.isOpen()) {
      return FabricExposure.failed(owner, length, access,
          new VerbsException(VerbsException.Kind.DISCONNECTED, "The connection is going down"));
    }
    if (access == Access.REMOTE_WRITE && memory.readOnly()) {
      return FabricExposure.failed(owner, length, access, new VerbsException(VerbsException.Kind.INVALID_ARGUMENT,
          "The memory is read-only: nobody can write to it"));
    }
    return endpoint.exposures().expose(owner, memory, offset, length, access);
  }

  @Override
  public void revoke(Exposure exposure) {
    endpoint.checkPost(false);
    if (!(exposure instanceof FabricExposure own)) {
      throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT, "The exposure is not of this queue pair");
    }
    endpoint.exposures().revoke(own);
    endpoint.upcalls().revokedLater(own);
    endpoint.deliverLater();
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
