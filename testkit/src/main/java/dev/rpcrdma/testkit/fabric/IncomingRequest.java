// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairSetup;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.support.HostProtectionDomain;
import dev.rpcrdma.verbs.support.Loops;
import dev.rpcrdma.verbs.support.PairLife.State;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.OptionalInt;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/** A connection that a peer asks for, until it is answered. Safe for all threads. */
final class IncomingRequest implements ConnectionRequest {

  private final FabricListener listener;
  private final FabricConnecting peer;
  private final AtomicBoolean answered = new AtomicBoolean();

  IncomingRequest(FabricListener listener, FabricConnecting peer) {
    this.listener = listener;
    this.peer = peer;
  }

  /** Where the peer looked for the listener, which may listen on all hosts. */
  @Override
  public SocketAddress localAddress() {
    return peer.remote();
  }

  @Override
  public SocketAddress remoteAddress() {
    return peer.origin();
  }

  @Override
  public Buffer privateData() {
    return peer.options().privateData().copy();
  }

  @Override
  public OptionalInt peerInboundReads() {
    return OptionalInt.of(peer.options().inboundReads());
  }

  @Override
  public OptionalInt peerOutboundReads() {
    return OptionalInt.of(peer.options().outboundReads());
  }

  private boolean answer() {
    listener.answered(this);
    return answered.compareAndSet(false, true);
  }

  private static IllegalStateException answeredBefore() {
    return new IllegalStateException("The connection request was answered before");
  }

  @Override
  public Future<Void> reject(Buffer privateData) {
    try {
      FabricDevice.checkPrivateData(privateData);
    } catch (VerbsException e) {
      return Future.failedFuture(e);
    }
    if (!answer()) {
      return Future.failedFuture(answeredBefore());
    }
    peer.rejected(privateData.copy());
    return Future.succeededFuture();
  }

  /** Rejects the request unless it has been answered: its listener closes, or its peer has waited for too long. */
  void refuse() {
    if (answer()) {
      peer.rejected(Buffer.buffer());
    }
  }

  @Override
  public Future<QueuePair> accept(Context context, ProtectionDomain domain, ConnectionOptions options,
      QueuePairSetup setup) {
    HostProtectionDomain checked;
    try {
      FabricDevice.check(options);
      checked = FabricDevice.check(domain);
      Loops.check(Contexts.eventLoop(context));
    } catch (VerbsException e) {
      return Future.failedFuture(e);
    }
    if (!answer()) {
      return Future.failedFuture(answeredBefore());
    }
    Context target = Loops.onLoop(context);
    Endpoint endpoint = new Endpoint(listener.device(), target, options);
    ConnectionOptions theirs = peer.options();
    FabricQueuePair queuePair = new FabricQueuePair(context, checked, endpoint, localAddress(), remoteAddress(),
        privateData(), Math.min(options.outboundReads(), theirs.inboundReads()),
        Math.min(options.inboundReads(), theirs.outboundReads()));
    Promise<QueuePair> promise = Contexts.promise(target);
    try {
      Loops.run(Contexts.eventLoop(target), () -> start(queuePair, options, setup, promise));
      return promise.future();
    } catch (RejectedExecutionException e) {
      peer.fail(VerbsException.Kind.DISCONNECTED, "The peer's Vert.x ended while it was accepting");
      return Future.failedFuture(Loops.ended(e));
    }
  }

  private void start(FabricQueuePair queuePair, ConnectionOptions options, QueuePairSetup setup,
      Promise<QueuePair> promise) {
    Endpoint endpoint = queuePair.endpoint();
    listener.device().add(endpoint);
    endpoint.life().whenGone().onComplete(gone -> promise.tryFail(notUp(VerbsException.Kind.DISCONNECTED)));
    ScheduledFuture<?> deadline = endpoint.schedule(() -> {
      promise.tryFail(notUp(VerbsException.Kind.TIMEOUT));
      endpoint.lost("The peer did not finish connecting within " + options.timeout().toMillis() + " ms");
    }, options.timeout().toNanos());
    promise.future().onComplete(done -> deadline.cancel(false));
    try {
      queuePair.setUp(setup);
    } catch (Throwable e) {
      promise.tryFail(e);
      endpoint.close();
    }
    if (endpoint.life().state() == State.STARTING) {
      peer.accepted(new Acceptance(queuePair, options, promise));
    } else {
      peer.fail(VerbsException.Kind.DISCONNECTED, "The peer closed the connection while it was accepting");
    }
  }

  private VerbsException notUp(VerbsException.Kind kind) {
    return new VerbsException(kind, "The connection from " + remoteAddress() + " has not come up");
  }
}
