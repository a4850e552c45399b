// SPDX-License-Identifier: Apache-2.0
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
import dev.rpcrdma.verbs.QueuePairSetup;
import dev.rpcrdma.verbs.TransportFact;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.support.HostMemory;
import dev.rpcrdma.verbs.support.HostProtectionDomain;
import dev.rpcrdma.verbs.support.HostQueuePair;
import dev.rpcrdma.verbs.support.Loops;
import dev.rpcrdma.verbs.support.PairLife;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.security.cert.Certificate;
import java.util.List;

/** A queue pair: checks what the consumer posts and hands it to its {@link SiwConnection}. */
final class SiwQueuePair extends HostQueuePair {

  /**
   * Bytes posted inside a turn after which the peer gets to work before the turn ends. Two batches on
   * their way keep both sides at work if they look for them; if they sleep, it takes a third.
   */
  private static final int EAGER_BYTES = 8 * 1024;
  private static final int EAGER_BYTES_IF_ASLEEP = 6 * 1024;

  private final MpaAgreement agreement;
  private final RdmapEndpoint endpoint;
  private final SiwConnection connection;
  private final int eagerBytes;
  private int postedBytes;

  SiwQueuePair(Context context, Link link, HostProtectionDomain domain, ConnectionOptions options,
      SiwOptions settings, boolean initiator, MpaAgreement agreement) {
    this(context, link, domain, options, settings, agreement,
        new SiwConnection(Loops.onLoop(context), link, settings, initiator), initiator);
  }

  private SiwQueuePair(Context context, Link link, HostProtectionDomain domain, ConnectionOptions options,
      SiwOptions settings, MpaAgreement agreement, SiwConnection connection, boolean initiator) {
    super(context, domain, connection.life().gate(), SocketAddress.inetSocketAddress(link.localAddress()),
        SocketAddress.inetSocketAddress(link.remoteAddress()));
    this.agreement = agreement;
    this.eagerBytes = settings.busyPollMicros() > 0 ? EAGER_BYTES : EAGER_BYTES_IF_ASLEEP;
    this.connection = connection;
    this.endpoint = new RdmapEndpoint(initiator, agreement, options.sendQueueDepth(),
        options.receiveQueueDepth(), new StreamEvents() {
          @Override
          public void received(long id, int length, boolean invalidated, int tag) {
            connection.life().upcalls().received(id, length, invalidated, tag);
          }

          @Override
          public void readCompleted() {
            // The completion is delivered in order with those of the send queue, in this turn.
          }

          @Override
          public void terminated(TerminateMessage message) {
            connection.terminatedByPeer(message);
          }
        }, connection.life().upcalls()::revokedLater);
    connection.attach(endpoint);
  }

  SiwConnection connection() {
    return connection;
  }

  private PairLife life() {
    return connection.life();
  }

  /** Calls the consumer's setup; the queue pair takes nothing but Receives meanwhile. */
  void setUp(QueuePairSetup setup) {
    life().setUp(() -> setup.setup(this));
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
  public List<Certificate> localCertificates() {
    return connection.localCertificates();
  }

  @Override
  public List<TransportFact> transportFacts() {
    return MpaFacts.of(agreement);
  }

  @Override
  protected boolean isOpen() {
    return life().isOpen();
  }

  @Override
  protected boolean isReceiveQueueFull() {
    return endpoint.receiveQueue().isFull();
  }

  @Override
  protected boolean isSendQueueFull() {
    return endpoint.sendQueue().isFull();
  }

  @Override
  protected int reads() {
    return endpoint.sendQueue().reads();
  }

  @Override
  protected void receive(long id, HostMemory sink, int offset, int length) {
    endpoint.receiveQueue().post(id, sink, offset, length);
  }

  @Override
  protected void request(long id, Opcode opcode, HostMemory memory, int offset, int length, int tag,
      long remoteOffset, boolean invalidate) {
    endpoint.sendQueue().post(id, opcode, memory, offset, length, tag, remoteOffset, invalidate);
    postedBytes += length + Long.BYTES * 4;
    if (postedBytes >= eagerBytes) {
      ringNow();
      connection.pump();
    }
  }

  @Override
  protected void ring() {
    ringNow();
    if (!life().upcalls().inTurn()) {
      connection.flushed();
    }
  }

  /** On the way down only what was flushed before is still sent; the rest will be flushed. */
  private void ringNow() {
    postedBytes = 0;
    if (life().isOpen()) {
      endpoint.sendQueue().ring();
    }
  }

  @Override
  protected Exposure exposeChecked(Object owner, HostMemory memory, int offset, int length, Access access) {
    return told(endpoint.exposures().expose(owner, memory, offset, length, access));
  }

  @Override
  protected Exposure exposeNothing(Object owner, int length, VerbsException why) {
    return told(SiwExposure.failed(owner, length, why));
  }

  private SiwExposure told(SiwExposure exposure) {
    life().upcalls().exposedLater(exposure);
    life().turnLater();
    return exposure;
  }

  @Override
  protected boolean isOwn(Exposure exposure) {
    return exposure instanceof SiwExposure own && endpoint.exposures().has(own);
  }

  @Override
  protected void revokeChecked(Exposure exposure) {
    SiwExposure own = (SiwExposure) exposure;
    endpoint.exposures().revoke(own, life().upcalls()::revokedLater);
    if (own.hasEnded()) {
      life().turnLater();
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
