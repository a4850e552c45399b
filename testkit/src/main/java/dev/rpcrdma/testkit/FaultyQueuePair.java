// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import dev.rpcrdma.testkit.FaultPlan.Step;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairHandler;
import dev.rpcrdma.verbs.TransportFact;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.WorkCompletion;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.security.cert.Certificate;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;

/**
 * Loses its connection at a post, and fails exposures. Confined to its event loop.
 *
 * <p>A lost connection is a closed one that its consumer has not closed: what was posted is flushed,
 * and the reason that is told is that of a loss.
 */
final class FaultyQueuePair implements DecoratedQueuePair {

  /** The answer to an exposure that was not made. */
  private record Refused(Object owner, int length) implements Exposure {

    @Override
    public Optional<VerbsException> failure() {
      return Optional.of(new VerbsException(VerbsException.Kind.RESOURCES,
          "The exposure fails on purpose"));
    }

    @Override
    public int steeringTag() {
      return 0;
    }

    @Override
    public long remoteOffset() {
      return 0;
    }
  }

  private final QueuePair delegate;
  private final FaultPlan plan;
  private final ArrayDeque<Refused> refused = new ArrayDeque<>();
  private QueuePairHandler handler;
  private boolean lost;

  FaultyQueuePair(QueuePair delegate, FaultPlan plan) {
    this.delegate = delegate;
    this.plan = plan;
  }

  @Override
  public QueuePairHandler handler(QueuePairHandler consumer) {
    handler = consumer;
    return new Passing();
  }

  private void step() {
    if (!lost && plan.fails(Step.POST)) {
      lost = true;
      delegate.close();
    }
  }

  private void answerRefused() {
    boolean any = !refused.isEmpty();
    while (!refused.isEmpty()) {
      handler.exposed(refused.poll());
    }
    if (any) {
      handler.batchEnd();
    }
  }

  @Override
  public void postSend(long id, LocalMemory memory, int offset, int length) {
    step();
    delegate.postSend(id, memory, offset, length);
  }

  @Override
  public void postSendWithInvalidate(long id, LocalMemory memory, int offset, int length,
      int remoteTag) {
    step();
    delegate.postSendWithInvalidate(id, memory, offset, length, remoteTag);
  }

  @Override
  public void postWrite(long id, LocalMemory memory, int offset, int length, int remoteTag,
      long remoteOffset) {
    step();
    delegate.postWrite(id, memory, offset, length, remoteTag, remoteOffset);
  }

  @Override
  public void postRead(long id, LocalMemory memory, int offset, int length, int remoteTag,
      long remoteOffset) {
    step();
    delegate.postRead(id, memory, offset, length, remoteTag, remoteOffset);
  }

  @Override
  public Exposure expose(Object owner, LocalMemory memory, int offset, int length, Access access) {
    if (plan.fails(Step.EXPOSE)) {
      Refused exposure = new Refused(owner, length);
      refused.add(exposure);
      delegate.context().runOnContext(ignored -> answerRefused());
      return exposure;
    }
    return delegate.expose(owner, memory, offset, length, access);
  }

  @Override
  public Context context() {
    return delegate.context();
  }

  @Override
  public SocketAddress localAddress() {
    return delegate.localAddress();
  }

  @Override
  public SocketAddress remoteAddress() {
    return delegate.remoteAddress();
  }

  @Override
  public Buffer privateData() {
    return delegate.privateData();
  }

  @Override
  public int outboundReads() {
    return delegate.outboundReads();
  }

  @Override
  public long bytesRead() {
    return delegate.bytesRead();
  }

  @Override
  public long bytesServed() {
    return delegate.bytesServed();
  }

  @Override
  public List<Certificate> peerCertificates() {
    return delegate.peerCertificates();
  }

  @Override
  public List<Certificate> localCertificates() {
    return delegate.localCertificates();
  }

  @Override
  public List<TransportFact> transportFacts() {
    return delegate.transportFacts();
  }

  @Override
  public void postReceive(long id, LocalMemory memory, int offset, int length) {
    delegate.postReceive(id, memory, offset, length);
  }

  @Override
  public void flush() {
    delegate.flush();
  }

  @Override
  public void revoke(Exposure exposure) {
    delegate.revoke(exposure);
  }

  @Override
  public int exposures() {
    return delegate.exposures();
  }

  @Override
  public Future<Void> close() {
    return delegate.close();
  }

  /** Between the wrapped queue pair and the consumer. */
  private final class Passing implements QueuePairHandler {

    @Override
    public void established() {
      handler.established();
    }

    @Override
    public void completed(WorkCompletion completion) {
      handler.completed(completion);
    }

    @Override
    public void exposed(Exposure exposure) {
      handler.exposed(exposure);
    }

    @Override
    public void revoked(Exposure exposure) {
      handler.revoked(exposure);
    }

    @Override
    public void batchEnd() {
      handler.batchEnd();
    }

    @Override
    public void disconnected(DisconnectReason reason) {
      // All exposures are answered before the last upcall.
      answerRefused();
      handler.disconnected(lost ? new DisconnectReason(DisconnectReason.Kind.REMOTE_CLOSE,
          "The connection is lost on purpose") : reason);
    }
  }
}
