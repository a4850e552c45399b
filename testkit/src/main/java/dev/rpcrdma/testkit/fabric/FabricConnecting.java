// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.ConnectionRejectedException;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairSetup;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import dev.rpcrdma.verbs.support.HostProtectionDomain;
import dev.rpcrdma.verbs.support.Loops;
import dev.rpcrdma.verbs.support.PairLife.State;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** One attempt to connect, within its deadline: the request, its answer, and setup. */
final class FabricConnecting {

  private final FabricDevice device;
  private final Context context;
  private final Context loopContext;
  private final EventLoop loop;
  private final SocketAddress remote;
  private final SocketAddress origin = FabricAddresses.origin();
  private final HostProtectionDomain domain;
  private final ConnectionOptions options;
  private final QueuePairSetup setup;
  private final SplittableRandom random;
  private final boolean refused;
  private final Promise<QueuePair> promise;
  private final Promise<Void> over = Promise.promise();
  /** The fields from here on are of the event loop. */
  private ScheduledFuture<?> deadline;
  private IncomingRequest request;
  private MemoryFabric heldBy;

  /**
   * Prepares an attempt.
   *
   * @param device that connects
   * @param context whose event loop will own the queue pair
   * @param remote where to
   * @param domain of the memory that will be posted
   * @param options of the consumer, checked
   * @param setup of the consumer
   * @param random of the connection
   * @param refused whether it finds nobody, on purpose
   */
  FabricConnecting(FabricDevice device, Context context, SocketAddress remote, HostProtectionDomain domain,
      ConnectionOptions options, QueuePairSetup setup, SplittableRandom random, boolean refused) {
    this.device = device;
    this.context = context;
    this.loopContext = Loops.onLoop(context);
    this.loop = Contexts.eventLoop(loopContext);
    this.remote = remote;
    this.domain = domain;
    this.options = options;
    this.setup = setup;
    this.random = random;
    this.refused = refused;
    this.promise = Contexts.promise(loopContext);
  }

  SocketAddress remote() {
    return remote;
  }

  SocketAddress origin() {
    return origin;
  }

  ConnectionOptions options() {
    return options;
  }

  Future<QueuePair> connect() {
    try {
      Loops.run(loop, this::start);
      return promise.future();
    } catch (RejectedExecutionException e) {
      over.tryComplete();
      return Future.failedFuture(Loops.ended(e));
    }
  }

  private void start() {
    if (device.isClosing()) {
      failNow(FabricDevice.closedException());
      return;
    }
    long millis = options.timeout().toMillis();
    deadline = loop.schedule(() -> failNow(new VerbsException(Kind.TIMEOUT,
        "No connection to " + remote + " within " + millis + " ms")), millis, TimeUnit.MILLISECONDS);
    if (refused) {
      failNow(unreachable("the connect is refused on purpose"));
    } else {
      reach();
    }
  }

  /** The partition that it was held by is over. From any thread. */
  void retry() {
    try {
      loop.execute(this::reach);
    } catch (RejectedExecutionException e) {
      over.tryComplete();
    }
  }

  private void reach() {
    if (request != null || promise.future().isComplete()) {
      return;
    }
    release();
    Optional<FabricListener> listener = FabricAddresses.find(remote);
    if (device.fabric().isPartitioned()) {
      hold(device.fabric());
    } else if (listener.isEmpty()) {
      failNow(unreachable("nobody in this process listens there"));
    } else if (listener.get().device().fabric().isPartitioned()) {
      hold(listener.get().device().fabric());
    } else {
      request = new IncomingRequest(listener.get(), this);
      if (!listener.get().request(request)) {
        failNow(unreachable("as many requests as can wait there do, or its event loop has ended"));
      }
    }
  }

  private VerbsException unreachable(String why) {
    return new VerbsException(Kind.UNREACHABLE, "Cannot connect to " + remote + ": " + why);
  }

  private void hold(MemoryFabric fabric) {
    heldBy = fabric;
    fabric.hold(this);
  }

  private void release() {
    if (heldBy != null) {
      heldBy.release(this);
      heldBy = null;
    }
  }

  /** The peer's consumer rejects. From any thread. */
  void rejected(Buffer privateData) {
    fail(new ConnectionRejectedException("The peer at " + remote + " rejected the connection", privateData));
  }

  /** The connection does not come up. From any thread. */
  void fail(Kind kind, String message) {
    fail(new VerbsException(kind, message));
  }

  private void fail(Throwable failure) {
    try {
      loop.execute(() -> failNow(failure));
    } catch (RejectedExecutionException e) {
      over.tryComplete();
    }
  }

  /** The peer's consumer accepts. From any thread. */
  void accepted(Acceptance acceptance) {
    try {
      loop.execute(() -> join(acceptance));
    } catch (RejectedExecutionException e) {
      acceptance.fail("The event loop of the peer has ended");
    }
  }

  private void join(Acceptance acceptance) {
    if (promise.future().isComplete()) {
      acceptance.fail("The peer has given up connecting");
      return;
    }
    Endpoint endpoint = new Endpoint(device, loopContext, options);
    ConnectionOptions theirs = acceptance.options();
    FabricQueuePair queuePair = new FabricQueuePair(context, domain, endpoint, origin, remote,
        theirs.privateData().copy(), Math.min(options.outboundReads(), theirs.inboundReads()),
        Math.min(options.inboundReads(), theirs.outboundReads()));
    device.add(endpoint);
    try {
      queuePair.setUp(setup);
    } catch (Throwable e) {
      failNow(e);
      endpoint.close();
    }
    if (endpoint.life().state() != State.STARTING) {
      acceptance.fail("The peer closed while the connection came up");
      failNow(new VerbsException(Kind.CLOSED, "Closed during setup"));
      return;
    }
    FabricWire wire = new FabricWire(endpoint, acceptance.queuePair().endpoint(), device.options(), random);
    acceptance.complete(wire);
    endpoint.open(wire);
    done();
    promise.tryComplete(queuePair);
  }

  /** Gives up, since the device is being closed. From any thread. */
  Future<Void> cancel() {
    fail(FabricDevice.closedException());
    return over.future();
  }

  private void failNow(Throwable failure) {
    done();
    // First, so that whoever hears of the failure finds the request answered.
    if (request != null) {
      request.refuse();
    }
    promise.tryFail(failure);
  }

  private void done() {
    if (deadline != null) {
      deadline.cancel(false);
    }
    release();
    device.gone(this);
    over.tryComplete();
  }
}
