// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.DeviceAttributes;
import dev.rpcrdma.verbs.ListenOptions;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairSetup;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.support.HostProtectionDomain;
import dev.rpcrdma.verbs.support.Loops;
import dev.rpcrdma.verbs.support.NoTls;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** The device: opens listeners and connections, and closes what it has opened. */
final class FabricDevice implements VerbsDevice {

  /** The longest message, in bytes: as long as common hardware takes. */
  static final int MAX_MESSAGE = 1 << 30;

  private static final int MAX_QUEUE_DEPTH = 1 << 16;
  private static final int MAX_READS = 128;
  /** What every device takes, so that who gets along with it gets along everywhere. */
  private static final int PRIVATE_DATA = 56;

  private static final DeviceAttributes ATTRIBUTES = DeviceAttributes.builder()
      .maxSendQueueDepth(MAX_QUEUE_DEPTH).maxReceiveQueueDepth(MAX_QUEUE_DEPTH).maxMessageSize(MAX_MESSAGE)
      .maxOutboundReads(MAX_READS).maxInboundReads(MAX_READS).readsNegotiated(true)
      .connectPrivateData(PRIVATE_DATA).acceptPrivateData(PRIVATE_DATA).rejectPrivateData(PRIVATE_DATA)
      .remotelyInvalidatable(true).readRightsChecked(true).emptyReadsServed(true)
      .serialReceives(true).hosts(List.of(FabricAddresses.HOST))
      .build();

  private final Vertx vertx;
  private final MemoryOptions options;
  private final MemoryFabric fabric;
  /** Guarded by itself. */
  private final SplittableRandom random;
  private final Set<FabricListener> listeners = ConcurrentHashMap.newKeySet();
  private final Set<FabricConnecting> connecting = ConcurrentHashMap.newKeySet();
  private final Set<Endpoint> endpoints = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final Promise<Void> closed = Promise.promise();

  private FabricDevice(Vertx vertx, MemoryOptions options) {
    this.vertx = vertx;
    this.options = options;
    this.fabric = MemoryFabric.of(vertx);
    this.random = new SplittableRandom(options.seed());
  }

  /** Opens a device, which its owner closes. */
  static FabricDevice open(Vertx vertx, MemoryOptions options) {
    return new FabricDevice(vertx, options);
  }

  @Override
  public String name() {
    return MemoryProvider.NAME;
  }

  @Override
  public DeviceAttributes attributes() {
    return ATTRIBUTES;
  }

  @Override
  public ProtectionDomain allocateProtectionDomain() {
    return new HostProtectionDomain();
  }

  @Override
  public Future<VerbsListener> listen(Context context, SocketAddress address, ListenOptions wanted,
      Handler<ConnectionRequest> handler) {
    FabricListener listener = new FabricListener(this, Loops.onLoop(context), handler);
    try {
      NoTls.check(MemoryProvider.NAME, wanted.tls());
      check(address);
      checkOpen();
      listener.bind(address);
    } catch (VerbsException e) {
      return Future.failedFuture(e);
    }
    listeners.add(listener);
    // A close at the same time may have looked before this one was there.
    return closing.get() ? listener.close().compose(done -> Future.failedFuture(closedException()))
        : Future.succeededFuture(listener);
  }

  @Override
  public Future<QueuePair> connect(Context context, SocketAddress remote, ProtectionDomain domain,
      ConnectionOptions wanted, QueuePairSetup setup) {
    try {
      NoTls.check(MemoryProvider.NAME, wanted.tls());
      check(remote);
      check(wanted);
      HostProtectionDomain checked = check(domain);
      checkOpen();
      FabricConnecting attempt;
      synchronized (random) {
        boolean refused = random.nextDouble() < options.refuseProbability();
        attempt = new FabricConnecting(this, context, remote, checked, wanted, setup, random.split(),
            refused | fabric.refusesNext());
      }
      connecting.add(attempt);
      return attempt.connect();
    } catch (VerbsException e) {
      return Future.failedFuture(e);
    }
  }

  private void checkOpen() {
    if (closing.get()) {
      throw closedException();
    }
  }

  private static void check(SocketAddress address) {
    if (!address.isInetSocket()) {
      throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT,
          "memory needs a host and a port, not " + address);
    }
  }

  static void check(ConnectionOptions wanted) {
    checkPrivateData(wanted.privateData());
    atMost("The send queue's depth", wanted.sendQueueDepth(), MAX_QUEUE_DEPTH);
    atMost("The receive queue's depth", wanted.receiveQueueDepth(), MAX_QUEUE_DEPTH);
    atMost("ORD", wanted.outboundReads(), MAX_READS);
    atMost("IRD", wanted.inboundReads(), MAX_READS);
  }

  static void checkPrivateData(Buffer privateData) {
    atMost("The private data's length", privateData.length(), PRIVATE_DATA);
  }

  private static void atMost(String what, int value, int most) {
    if (value > most) {
      throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT,
          what + " is " + value + "; memory takes at most " + most);
    }
  }

  static HostProtectionDomain check(ProtectionDomain domain) {
    if (domain instanceof HostProtectionDomain own) {
      return own;
    }
    throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT,
        "The protection domain is not of a memory device");
  }

  static VerbsException closedException() {
    return new VerbsException(VerbsException.Kind.CLOSED, "The device is closed");
  }

  MemoryOptions options() {
    return options;
  }

  MemoryFabric fabric() {
    return fabric;
  }

  boolean isClosing() {
    return closing.get();
  }

  void gone(FabricListener listener) {
    listeners.remove(listener);
  }

  void gone(FabricConnecting attempt) {
    connecting.remove(attempt);
  }

  /** Keeps an end until it is gone, and closes it if the device was closed meanwhile. */
  void add(Endpoint endpoint) {
    endpoints.add(endpoint);
    endpoint.life().whenGone().onComplete(done -> endpoints.remove(endpoint));
    if (closing.get()) {
      endpoint.close();
    }
  }

  @Override
  public Future<Void> close() {
    if (closing.compareAndSet(false, true)) {
      closeAll(listeners, FabricListener::close)
          .compose(done -> closeAll(connecting, FabricConnecting::cancel))
          .compose(done -> closeAll(endpoints, Endpoint::close))
          .onComplete(closed);
    }
    return closed.future();
  }

  private static <T> Future<Void> closeAll(Set<T> set, Function<T, Future<Void>> close) {
    List<Future<Void>> ending = set.stream().map(close).toList();
    return Future.join(ending).mapEmpty();
  }
}
