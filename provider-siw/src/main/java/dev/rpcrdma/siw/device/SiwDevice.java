// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.device;

import dev.rpcrdma.siw.SiwOptions;
import dev.rpcrdma.siw.stream.MpaOffer;
import dev.rpcrdma.siw.stream.RdmapEndpoint;
import dev.rpcrdma.siw.stream.Rtr;
import dev.rpcrdma.siw.transport.CaptureTap;
import dev.rpcrdma.siw.transport.StreamTap;
import dev.rpcrdma.siw.transport.Transmitter;
import dev.rpcrdma.siw.wire.EnhancedBlock;
import dev.rpcrdma.siw.wire.MpaFrame;
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
import dev.rpcrdma.verbs.capture.Capture;
import dev.rpcrdma.verbs.support.HostProtectionDomain;
import dev.rpcrdma.verbs.support.Loops;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** The device: opens listeners and connections, and closes what it has opened. */
public final class SiwDevice implements VerbsDevice {

  /** Of the provider, and of its one device. */
  public static final String NAME = "siw";

  private static final int MAX_QUEUE_DEPTH = 1 << 16;

  /** What MPA allows, less the enhanced block. */
  private static final int PRIVATE_DATA = MpaFrame.MAX_PRIVATE_DATA - EnhancedBlock.BYTES;

  /** What each device of this kind can do. */
  public static final DeviceAttributes ATTRIBUTES = DeviceAttributes.builder()
      .maxSendQueueDepth(MAX_QUEUE_DEPTH).maxReceiveQueueDepth(MAX_QUEUE_DEPTH)
      .maxMessageSize(Integer.MAX_VALUE).maxInlineData(Transmitter.GATHER_BYTES)
      .maxOutboundReads(RdmapEndpoint.MAX_READS).maxInboundReads(RdmapEndpoint.MAX_READS).readsNegotiated(true)
      .connectPrivateData(PRIVATE_DATA).acceptPrivateData(PRIVATE_DATA).rejectPrivateData(PRIVATE_DATA)
      .remotelyInvalidatable(true).readRightsChecked(true).emptyReadsServed(true)
      .serialReceives(true).tls(true)
      .hosts(List.of(InetAddress.getLoopbackAddress().getHostAddress()))
      .build();

  private final Vertx vertx;
  private final SiwOptions settings;
  private final Optional<Capture> capture;
  private final Set<SiwListener> listeners = ConcurrentHashMap.newKeySet();
  private final Set<Initiator> connecting = ConcurrentHashMap.newKeySet();
  private final Set<SiwConnection> connections = ConcurrentHashMap.newKeySet();
  private final AddressCounts pending;
  private final AddressCounts accepted;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final Promise<Void> closed = Promise.promise();

  private SiwDevice(Vertx vertx, SiwOptions settings, Optional<Capture> capture) {
    this.vertx = vertx;
    this.settings = settings;
    this.capture = capture;
    this.pending = new AddressCounts(settings.maxPendingPerAddress());
    this.accepted = new AddressCounts(settings.maxConnectionsPerAddress());
  }

  /**
   * Opens the device.
   *
   * @param vertx whose event loops are used
   * @param settings checked options
   * @param capture where to write a capture
   * @return the device, which its owner closes
   */
  public static SiwDevice open(Vertx vertx, SiwOptions settings, Optional<Path> capture) {
    return new SiwDevice(vertx, settings, capture.map(Capture::open));
  }

  @Override
  public String name() {
    return NAME;
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
  public Future<VerbsListener> listen(Context context, SocketAddress address, ListenOptions options,
      Handler<ConnectionRequest> handler) {
    if (closing.get()) {
      return Future.failedFuture(closedException());
    }
    if (!address.isInetSocket()) {
      return Future.failedFuture(noTcp(address));
    }
    if (Contexts.eventLoop(context).isShuttingDown()) {
      return Future.failedFuture(Loops.ended(null));
    }
    SiwListener listener = new SiwListener(this, Loops.onLoop(context), options, handler);
    listeners.add(listener);
    try {
      return listener.bind(address);
    } catch (RejectedExecutionException | IllegalStateException e) {
      gone(listener);
      return Future.failedFuture(Loops.ended(e));
    }
  }

  @Override
  public Future<QueuePair> connect(Context context, SocketAddress remote, ProtectionDomain domain,
      ConnectionOptions options, QueuePairSetup setup) {
    try {
      if (closing.get()) {
        throw closedException();
      }
      if (!remote.isInetSocket()) {
        throw noTcp(remote);
      }
      check(options, PRIVATE_DATA);
      Loops.check(Contexts.eventLoop(context));
      Initiator initiator =
          new Initiator(this, context, checkDomain(domain), options, setup);
      connecting.add(initiator);
      return initiator.connect(remote);
    } catch (VerbsException e) {
      return Future.failedFuture(e);
    }
  }

  private static VerbsException noTcp(SocketAddress address) {
    return new VerbsException(VerbsException.Kind.INVALID_ARGUMENT,
        "siw needs a host and a port of TCP, not " + address);
  }

  static void check(ConnectionOptions options, int privateData) {
    checkPrivateData(options.privateData(), privateData);
    atMost("The send queue's depth", options.sendQueueDepth(), MAX_QUEUE_DEPTH);
    atMost("The receive queue's depth", options.receiveQueueDepth(), MAX_QUEUE_DEPTH);
    atMost("ORD", options.outboundReads(), RdmapEndpoint.MAX_READS);
    atMost("IRD", options.inboundReads(), RdmapEndpoint.MAX_READS);
  }

  /** What a side of ours brings to startup; it never asks for markers. */
  static MpaOffer offer(boolean crc, boolean enhanced, boolean peerToPeer,
      ConnectionOptions options) {
    return new MpaOffer(crc, false, enhanced,
        peerToPeer ? EnumSet.allOf(Rtr.class) : EnumSet.noneOf(Rtr.class), options.inboundReads(),
        options.outboundReads(), RdmapEndpoint.MAX_READS, options.privateData().getBytes());
  }

  static void checkPrivateData(Buffer privateData, int most) {
    atMost("The private data's length", privateData.length(), most);
  }

  private static void atMost(String what, int value, int most) {
    if (value > most) {
      throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT,
          what + " is " + value + "; siw takes at most " + most);
    }
  }

  static HostProtectionDomain checkDomain(ProtectionDomain domain) {
    if (!(domain instanceof HostProtectionDomain)) {
      throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT,
          "The protection domain is not of a siw device");
    }
    return (HostProtectionDomain) domain;
  }

  static VerbsException closedException() {
    return new VerbsException(VerbsException.Kind.CLOSED, "The device is closed");
  }

  Vertx vertx() {
    return vertx;
  }

  SiwOptions settings() {
    return settings;
  }

  StreamTap tap() {
    return capture.<StreamTap>map(CaptureTap::new).orElse(StreamTap.NONE);
  }

  /** Accepted connections in startup. */
  AddressCounts pending() {
    return pending;
  }

  /** Accepted connections that are open. */
  AddressCounts accepted() {
    return accepted;
  }

  /** Whether who adds something now has to end it as well: it may come too late for the close. */
  boolean isClosing() {
    return closing.get();
  }

  void gone(SiwListener listener) {
    listeners.remove(listener);
  }

  void gone(Initiator initiator) {
    connecting.remove(initiator);
  }

  /** Keeps a connection until it is gone, and ends it if the device was closed meanwhile. */
  void add(SiwConnection connection) {
    connections.add(connection);
    connection.life().whenGone().onComplete(done -> connections.remove(connection));
    if (closing.get()) {
      connection.close();
    }
  }

  /** Connections that are not over, for tests. */
  int connections() {
    return connections.size() + connecting.size();
  }

  @Override
  public Future<Void> close() {
    if (closing.compareAndSet(false, true)) {
      closeAll(listeners, SiwListener::close)
          .compose(done -> closeAll(connecting, Initiator::cancel))
          .compose(done -> closeAll(connections, SiwConnection::close))
          .onComplete(done -> {
            capture.ifPresent(Capture::close);
            closed.handle(done);
          });
    }
    return closed.future();
  }

  private static <T> Future<Void> closeAll(Set<T> set,
      java.util.function.Function<T, Future<Void>> close) {
    List<Future<Void>> pending = new ArrayList<>();
    set.forEach(each -> pending.add(close.apply(each)));
    return Future.join(pending).mapEmpty();
  }

  /** For a method of a future: an exception of the caller's becomes a failure. */
  static <T> Future<T> failing(Supplier<Future<T>> method) {
    try {
      return method.get();
    } catch (VerbsException | IllegalStateException e) {
      return Future.failedFuture(e);
    } catch (RejectedExecutionException e) {
      return Future.failedFuture(Loops.ended(e));
    }
  }
}
