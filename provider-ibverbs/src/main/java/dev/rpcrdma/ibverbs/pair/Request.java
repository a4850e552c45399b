// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.pair;

import dev.rpcrdma.ibverbs.connect.CmEvent;
import dev.rpcrdma.ibverbs.connect.CmId;
import dev.rpcrdma.ibverbs.ffi.NativeException;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairSetup;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import dev.rpcrdma.verbs.support.Loops;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** A peer that asks for a connection. Made on the thread of the device's events; from any thread. */
final class Request implements ConnectionRequest {

  private final PairDevice device;
  private final CmEvent asked;
  private final CmId id;
  private final SocketAddress localAddress;
  private final SocketAddress remoteAddress;
  private final AtomicBoolean answered = new AtomicBoolean();
  /** The connection that it has become, until that is gone. */
  private final AtomicReference<Accepting> accepting = new AtomicReference<>();
  private final Promise<Void> settled = Promise.promise();

  Request(PairDevice device, CmEvent asked) {
    this.device = device;
    this.asked = asked;
    this.id = CmId.adopt(device.core(), device.events(), asked, this::event);
    this.localAddress = SocketAddress.inetSocketAddress(id.localAddress());
    this.remoteAddress = SocketAddress.inetSocketAddress(id.remoteAddress());
  }

  private void event(CmEvent event) {
    Accepting now = accepting.get();
    // Before it is accepted it can only go, and whoever accepts it hears of that.
    if (now != null) {
      now.event(event);
    }
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
    return Buffer.buffer(asked.privateData());
  }

  @Override
  public OptionalInt peerInboundReads() {
    return OptionalInt.of(asked.initiatorDepth());
  }

  @Override
  public OptionalInt peerOutboundReads() {
    return OptionalInt.of(asked.responderResources());
  }

  @Override
  public Future<QueuePair> accept(Context context, ProtectionDomain domain, ConnectionOptions options,
      QueuePairSetup setup) {
    try {
      device.check(options, device.device().attributes().acceptPrivateData());
      Loops.check(Contexts.eventLoop(context));
      Accepting made = new Accepting(device, context, this, PairDevice.checkDomain(domain), options, setup);
      answer();
      accepting.set(made);
      // The timer of the answer holds this for longer than many connections last, and would hold their queues.
      made.whenGone().onComplete(gone -> accepting.set(null));
      device.add(made);
      settled.complete();
      return made.accept();
    } catch (VerbsException | IllegalStateException e) {
      return Future.failedFuture(e);
    }
  }

  CmEvent asked() {
    return asked;
  }

  CmId id() {
    return id;
  }

  private void answer() {
    if (!answered.compareAndSet(false, true)) {
      throw new IllegalStateException("The connection request was answered before");
    }
  }

  /**
   * Completes when the device knows of the connection that it has become, or a worker has its rejection. That is later
   * than somebody has begun to answer it: until then the device must not end its workers.
   */
  Future<Void> whenSettled() {
    return settled.future();
  }

  @Override
  public Future<Void> reject(Buffer privateData) {
    try {
      device.checkPrivateData(privateData.length(), device.device().attributes().rejectPrivateData());
      answer();
      return rejected(privateData.getBytes());
    } catch (VerbsException | IllegalStateException e) {
      return Future.failedFuture(e);
    }
  }

  private Future<Void> rejected(byte[] data) {
    Promise<Void> promise = Promise.promise();
    device.workers().run(() -> {
      try {
        id.reject(data);
        promise.complete();
      } catch (NativeException e) {
        promise.fail(new VerbsException(Kind.DISCONNECTED, "The peer at " + remoteAddress
            + " has gone before its connection was answered: " + e.getMessage(), e));
      } finally {
        id.destroy();
      }
    });
    settled.complete();
    return promise.future();
  }

  /** Rejects it, unless it was answered. */
  Future<Void> expire() {
    if (answered.compareAndSet(false, true)) {
      rejected(new byte[0]);
    }
    return whenSettled();
  }
}
