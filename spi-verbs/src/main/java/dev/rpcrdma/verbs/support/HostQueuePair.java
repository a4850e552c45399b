// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import io.vertx.core.Context;
import io.vertx.core.net.SocketAddress;

/**
 * A queue pair of a provider whose memory is {@link HostMemory}: checks what the consumer asks for, in the order that
 * is the same for all, and hands on what is right. On the owning loop.
 */
public abstract class HostQueuePair implements QueuePair {

  private final Context context;
  private final HostProtectionDomain domain;
  private final PostGate gate;
  private final SocketAddress localAddress;
  private final SocketAddress remoteAddress;

  /**
   * Creates one that is not set up.
   *
   * @param context as named by the consumer
   * @param domain of the memory that will be posted
   * @param gate told by the provider how far the queue pair is
   * @param localAddress of this side
   * @param remoteAddress of the peer
   */
  protected HostQueuePair(Context context, HostProtectionDomain domain, PostGate gate, SocketAddress localAddress,
      SocketAddress remoteAddress) {
    this.context = context;
    this.domain = domain;
    this.gate = gate;
    this.localAddress = localAddress;
    this.remoteAddress = remoteAddress;
  }

  /** Whether the queue pair is up, and not going down. */
  protected abstract boolean isOpen();

  /** Whether the receive queue takes no more. */
  protected abstract boolean isReceiveQueueFull();

  /** Whether the send queue takes no more. */
  protected abstract boolean isSendQueueFull();

  /** How many Reads are posted and not told of. */
  protected abstract int reads();

  /**
   * Posts a checked Receive.
   *
   * @param id of the consumer
   * @param sink where the message goes
   * @param offset first byte
   * @param length longest message
   */
  protected abstract void receive(long id, HostMemory sink, int offset, int length);

  /**
   * Posts a checked request to the send queue.
   *
   * @param id of the consumer
   * @param opcode its kind
   * @param memory source, or sink of a Read
   * @param offset first byte
   * @param length number of bytes
   * @param tag the peer's, or the one to invalidate
   * @param remoteOffset under that tag
   * @param invalidate whether a Send invalidates the tag
   */
  protected abstract void request(long id, Opcode opcode, HostMemory memory, int offset, int length, int tag,
      long remoteOffset, boolean invalidate);

  /** Rings for what was posted. */
  protected abstract void ring();

  /**
   * Exposes a checked range, and has that told later.
   *
   * @param owner of the consumer
   * @param memory writable if the peer may write
   * @param offset first byte
   * @param length at least 1
   * @param access what the peer may do
   * @return the exposure
   */
  protected abstract Exposure exposeChecked(Object owner, HostMemory memory, int offset, int length, Access access);

  /**
   * Makes an exposure that has failed, and has that told later.
   *
   * @param owner of the consumer
   * @param length number of bytes that were asked for
   * @param why it has failed
   * @return the exposure
   */
  protected abstract Exposure exposeNothing(Object owner, int length, VerbsException why);

  /**
   * Whether an exposure is of this queue pair.
   *
   * @param exposure any, of any provider
   * @return false if another has made it
   */
  protected abstract boolean isOwn(Exposure exposure);

  /**
   * Revokes an exposure; told later.
   *
   * @param exposure of this queue pair, not failed
   */
  protected abstract void revokeChecked(Exposure exposure);

  @Override
  public final Context context() {
    return context;
  }

  @Override
  public final SocketAddress localAddress() {
    return localAddress;
  }

  @Override
  public final SocketAddress remoteAddress() {
    return remoteAddress;
  }

  @Override
  public final void postReceive(long id, LocalMemory memory, int offset, int length) {
    gate.check(true);
    HostMemory sink = HostMemory.checkSink(memory, domain, offset, length);
    if (isReceiveQueueFull()) {
      throw new IllegalStateException("The receive queue is full");
    }
    gate.count();
    receive(id, sink, offset, length);
  }

  @Override
  public final void postSend(long id, LocalMemory memory, int offset, int length) {
    post(id, Opcode.SEND, source(memory, offset, length), offset, length, 0, 0, false);
  }

  @Override
  public final void postSendWithInvalidate(long id, LocalMemory memory, int offset, int length, int remoteTag) {
    post(id, Opcode.SEND, source(memory, offset, length), offset, length, remoteTag, 0, true);
  }

  @Override
  public final void postWrite(long id, LocalMemory memory, int offset, int length, int remoteTag, long remoteOffset) {
    post(id, Opcode.WRITE, source(memory, offset, length), offset, length, remoteTag, remoteOffset, false);
  }

  @Override
  public final void postRead(long id, LocalMemory memory, int offset, int length, int remoteTag, long remoteOffset) {
    gate.check(false);
    HostMemory sink = HostMemory.checkSink(memory, domain, offset, length);
    // RFC 5040 §6.1: never more than ORD outstanding.
    if (reads() >= outboundReads()) {
      throw new IllegalStateException("All " + outboundReads() + " Reads (ORD) are outstanding");
    }
    post(id, Opcode.READ, sink, offset, length, remoteTag, remoteOffset, false);
  }

  private HostMemory source(LocalMemory memory, int offset, int length) {
    gate.check(false);
    return HostMemory.check(memory, domain, offset, length);
  }

  private void post(long id, Opcode opcode, HostMemory memory, int offset, int length, int tag, long remoteOffset,
      boolean invalidate) {
    if (isSendQueueFull()) {
      throw new IllegalStateException("The send queue is full");
    }
    gate.count();
    request(id, opcode, memory, offset, length, tag, remoteOffset, invalidate);
  }

  @Override
  public final void flush() {
    gate.check(true);
    ring();
  }

  @Override
  public final Exposure expose(Object owner, LocalMemory memory, int offset, int length, Access access) {
    gate.check(false);
    HostMemory checked = HostMemory.check(memory, domain, offset, length);
    if (length == 0) {
      throw new VerbsException(Kind.INVALID_ARGUMENT, "At least one byte must be exposed");
    }
    gate.count();
    if (!isOpen()) {
      return exposeNothing(owner, length,
          new VerbsException(Kind.DISCONNECTED, "The connection is going down"));
    }
    if (access == Access.REMOTE_WRITE && checked.readOnly()) {
      return exposeNothing(owner, length,
          new VerbsException(Kind.INVALID_ARGUMENT, "The memory is read-only: nobody can write to it"));
    }
    return exposeChecked(owner, checked, offset, length, access);
  }

  @Override
  public final void revoke(Exposure exposure) {
    gate.check(false);
    if (exposure.failure().isPresent() || !isOwn(exposure)) {
      throw new VerbsException(Kind.INVALID_ARGUMENT, "The exposure is not of this queue pair, or has failed");
    }
    revokeChecked(exposure);
  }
}
