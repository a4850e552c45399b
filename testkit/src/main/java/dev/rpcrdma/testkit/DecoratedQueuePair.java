// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairHandler;
import dev.rpcrdma.verbs.TransportFact;
import dev.rpcrdma.verbs.WorkCompletion;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.security.cert.Certificate;
import java.util.List;

/** A queue pair that stands before another one, and between that and its handler. Passes on all that is not changed. */
abstract class DecoratedQueuePair implements QueuePair {

  final QueuePair delegate;
  /** The consumer's. */
  QueuePairHandler handler;

  DecoratedQueuePair(QueuePair delegate) {
    this.delegate = delegate;
  }

  /** The handler for the wrapped queue pair, given the consumer's. */
  final QueuePairHandler handler(QueuePairHandler consumer) {
    handler = consumer;
    return upcalls();
  }

  /** Stands between the wrapped queue pair and the consumer. */
  abstract Upcalls upcalls();

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
  public List<TransportFact> transportFacts() {
    return delegate.transportFacts();
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
  public void postReceive(long id, LocalMemory memory, int offset, int length) {
    delegate.postReceive(id, memory, offset, length);
  }

  @Override
  public void postSend(long id, LocalMemory memory, int offset, int length) {
    delegate.postSend(id, memory, offset, length);
  }

  @Override
  public void postSendWithInvalidate(long id, LocalMemory memory, int offset, int length, int remoteTag) {
    delegate.postSendWithInvalidate(id, memory, offset, length, remoteTag);
  }

  @Override
  public void postWrite(long id, LocalMemory memory, int offset, int length, int remoteTag, long remoteOffset) {
    delegate.postWrite(id, memory, offset, length, remoteTag, remoteOffset);
  }

  @Override
  public void postRead(long id, LocalMemory memory, int offset, int length, int remoteTag, long remoteOffset) {
    delegate.postRead(id, memory, offset, length, remoteTag, remoteOffset);
  }

  @Override
  public void flush() {
    delegate.flush();
  }

  @Override
  public Exposure expose(Object owner, LocalMemory memory, int offset, int length, Access access) {
    return delegate.expose(owner, memory, offset, length, access);
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

  /** Passes on all upcalls that are not changed. */
  class Upcalls implements QueuePairHandler {

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
      handler.disconnected(reason);
    }
  }
}
