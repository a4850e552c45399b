package dev.rpcrdma.siw.device;

import dev.rpcrdma.siw.SiwOptions;
import dev.rpcrdma.siw.memory.SiwExposure;
import dev.rpcrdma.siw.stream.MpaAgreement;
import dev.rpcrdma.siw.stream.MpaFacts;
import dev.rpcrdma.siw.stream.RdmapEndpoint;
import dev.rpcrdma.siw.stream.StreamEvents;
import dev.rpcrdma.siw.transport.Link;
import dev.rpcrdma.siw.wire.TerminateMessage;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairSetup;
import dev.rpcrdma.verbs.TransportFact;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.support.HostMemory;
import dev.rpcrdma.verbs.support.HostProtectionDomain;
import dev.rpcrdma.verbs.support.Loops;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.security.cert.Certificate;
import java.util.List;

/** A queue pair: checks what the consumer posts and hands it to its {@link Connection}. */
final class SiwQueuePair implements QueuePair {

  /**
   * Bytes posted inside a turn after which the peer gets to work before the turn ends. Two batches on
   * their way keep both sides at work if they look for them; if they sleep, it takes a third.
   */
  private static final int EAGER_BYTES = 8 * 1024;
  private static final int EAGER_BYTES_IF_ASLEEP = 6 * 1024;

  private final Context context;
  private final HostProtectionDomain domain;
  private final SocketAddress localAddress;
  private final SocketAddress remoteAddress;
  private final MpaAgreement agreement;
  private final RdmapEndpoint endpoint;
  private final Connection connection;
  private final int eagerBytes;
  private int postedBytes;

  SiwQueuePair(Context context, Link link, HostProtectionDomain domain, ConnectionOptions options,
      SiwOptions settings, boolean initiator, MpaAgreement agreement) {
    this.context = context;
    this.domain = domain;
    this.localAddress = SocketAddress.inetSocketAddress(link.localAddress());
    this.remoteAddress = SocketAddress.inetSocketAddress(link.remoteAddress());
    this.agreement = agreement;
    this.eagerBytes = settings.busyPollMicros() > 0 ? EAGER_BYTES : EAGER_BYTES_IF_ASLEEP;
    this.connection = new Connection(Loops.onLoop(context), link, settings, initiator);
    this.endpoint = new RdmapEndpoint(initiator, agreement, options.sendQueueDepth(),
        options.receiveQueueDepth(), new StreamEvents() {
          @Override
          public void received(long id, int length, boolean invalidated, int tag) {
            connection.upcalls().received(id, length, invalidated, tag);
          }

          @Override
          public void readCompleted() {
            // The completion is delivered in order with those of the send queue, in this turn.
          }

          @Override
          public void terminated(TerminateMessage message) {
            connection.terminatedByPeer(message);
          }
        }, connection.upcalls()::revokedLater);
    connection.attach(endpoint);
  }

  Connection connection() {
    return connection;
  }

  /** Calls the consumer's setup; the queue pair takes nothing but Receives meanwhile. */
  void setUp(QueuePairSetup setup) {
    connection.setUp(() -> setup.setup(this));
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
    return Buffer.buffer(agreement.privateData());
  }

  @Override
  public int outboundReads() {
    return agreement.outboundReads();
  }

  @Override
  public long bytesRead() {
    return endpoint.bytesRead();
  }

  @Override
  public long bytesServed() {
    return endpoint.bytesServed();
  }

  @Override
  public List<Certificate> peerCertificates() {
    return connection.peerCertificates();
  }

  @Override
  public List<TransportFact> transportFacts() {
    return MpaFacts.of(agreement);
  }

  @Override
  public void postReceive(long id, LocalMemory memory, int offset, int length) {
    connection.checkPost(true);
    HostMemory checked = HostMemory.checkSink(memory, domain, offset, length);
    if (endpoint.receiveQueue().isFull()) {
      throw new IllegalStateException("The receive queue is full");
    }
    connection.countPost();
    endpoint.receiveQueue().post(id, checked, offset, length);
  }

  @Override
  public void postSend(long id, LocalMemory memory, int offset, int length) {
    post(id, Opcode.SEND, source(memory, offset, length), offset, length, 0, 0, false);
  }

  @Override
  public void postSendWithInvalidate(long id, LocalMemory memory, int offset, int length,
      int remoteTag) {
    post(id, Opcode.SEND, source(memory, offset, length), offset, length, remoteTag, 0, true);
  }

  @Override
  public void postWrite(long id, LocalMemory memory, int offset, int length, int remoteTag,
      long remoteOffset) {
    post(id, Opcode.WRITE, source(memory, offset, length), offset, length, remoteTag, remoteOffset,
        false);
  }

  @Override
  public void postRead(long id, LocalMemory memory, int offset, int length, int remoteTag,
      long remoteOffset) {
    connection.checkPost(false);
    HostMemory sink = HostMemory.checkSink(memory, domain, offset, length);
    // RFC 5040 §6.1: never more than ORD outstanding.
    if (endpoint.sendQueue().reads() >= outboundReads()) {
      throw new IllegalStateException("All " + outboundReads() + " Reads (ORD) are outstanding");
    }
    post(id, Opcode.READ, sink, offset, length, remoteTag, remoteOffset, false);
  }

  private HostMemory source(LocalMemory memory, int offset, int length) {
    connection.checkPost(false);
    return HostMemory.check(memory, domain, offset, length);
  }

  private void post(long id, Opcode opcode, HostMemory memory, int offset, int length, int tag,
      long remoteOffset, boolean invalidate) {
    if (endpoint.sendQueue().isFull()) {
      throw new IllegalStateException("The send queue is full");
    }
    connection.countPost();
    endpoint.sendQueue().post(id, opcode, memory, offset, length, tag, remoteOffset, invalidate);
    postedBytes += length + Long.BYTES * 4;
    if (postedBytes >= eagerBytes) {
      ring();
      connection.pump();
    }
  }

  @Override
  public void flush() {
    connection.checkPost(true);
    ring();
    if (!connection.upcalls().inTurn()) {
      connection.flushed();
    }
  }

  /** On the way down only what was flushed before is still sent; the rest will be flushed. */
  private void ring() {
    postedBytes = 0;
    if (connection.isOpen()) {
      endpoint.sendQueue().ring();
    }
  }

  @Override
  public Exposure expose(Object owner, LocalMemory memory, int offset, int length, Access access) {
    connection.checkPost(false);
    HostMemory checked = HostMemory.check(memory, domain, offset, length);
    if (length == 0) {
      throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT,
          "At least one byte must be exposed");
    }
    connection.countPost();
    SiwExposure exposure = exposed(owner, checked, offset, length, access);
    connection.upcalls().exposedLater(exposure);
    connection.deliverLater();
    return exposure;
  }

  private SiwExposure exposed(Object owner, HostMemory memory, int offset, int length, Access access) {
    if (!connection.isOpen()) {
      return SiwExposure.failed(owner, length, new VerbsException(VerbsException.Kind.DISCONNECTED,
          "The connection is going down"));
    }
    if (access == Access.REMOTE_WRITE && memory.readOnly()) {
      return SiwExposure.failed(owner, length, new VerbsException(
          VerbsException.Kind.INVALID_ARGUMENT, "The memory is read-only: nobody can write to it"));
    }
    return endpoint.exposures().expose(owner, memory, offset, length, access);
  }

  @Override
  public void revoke(Exposure exposure) {
    connection.checkPost(false);
    if (!(exposure instanceof SiwExposure)) {
      throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT,
          "The exposure is not of this queue pair");
    }
    SiwExposure own = (SiwExposure) exposure;
    endpoint.exposures().revoke(own, connection.upcalls()::revokedLater);
    if (own.hasEnded()) {
      connection.deliverLater();
    } else {
      connection.revokeDeadline(own);
    }
  }

  @Override
  public int exposures() {
    return endpoint.exposures().size();
  }

  @Override
  public Future<Void> close() {
    return connection.close();
  }
}
