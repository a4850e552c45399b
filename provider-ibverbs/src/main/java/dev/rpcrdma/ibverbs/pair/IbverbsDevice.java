// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.pair;

import dev.rpcrdma.ibverbs.IbverbsOptions;
import dev.rpcrdma.ibverbs.completion.CompletionChannel;
import dev.rpcrdma.ibverbs.connect.CmChannel;
import dev.rpcrdma.ibverbs.device.RdmaDevice;
import dev.rpcrdma.ibverbs.ffi.RdmaCore;
import dev.rpcrdma.ibverbs.memory.Revocations;
import dev.rpcrdma.ibverbs.memory.SharedDomain;
import dev.rpcrdma.ibverbs.work.IbverbsWorkers;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.DeviceAttributes;
import dev.rpcrdma.verbs.ListenOptions;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairSetup;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.support.Loops;
import dev.rpcrdma.verbs.support.NoTls;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** The device: opens listeners and connections, and closes what it has opened. */
public final class IbverbsDevice implements VerbsDevice, PairDevice {

  private static final String PROVIDER = "ibverbs";
  static final int WORKERS = 4;
  /** Software iWARP keeps one of them waiting for as long as a peer that does not answer is tried. */
  private static final int CONNECTING = 16;

  private final Vertx vertx;
  private final RdmaCore core;
  private final RdmaDevice device;
  private final IbverbsOptions options;
  private final IbverbsWorkers workers;
  private final IbverbsWorkers connecting;
  private final CmChannel events;
  private final Revocations revocations = new Revocations();
  /** Made anew where that has failed, or where one has broken. */
  private final Map<EventLoop, Future<CompletionChannel>> channels = new ConcurrentHashMap<>();
  /** Queues of these may be left until the device is closed. */
  private final Set<CompletionChannel> broken = ConcurrentHashMap.newKeySet();
  private final Set<Closing> listeners = ConcurrentHashMap.newKeySet();
  private final Set<Closing> connections = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final Promise<Void> closed = Promise.promise();

  /**
   * Opens it. Waits for system calls.
   *
   * @param vertx whose event loops are used
   * @param core the libraries
   * @param device which
   * @param options of the user
   * @throws VerbsException of kind UNAVAILABLE if its events cannot be heard of
   */
  public IbverbsDevice(Vertx vertx, RdmaCore core, RdmaDevice device, IbverbsOptions options) {
    this.vertx = vertx;
    this.core = core;
    this.device = device;
    this.options = options;
    this.workers = new IbverbsWorkers("rpcrdma-" + device.name(), WORKERS);
    this.connecting = new IbverbsWorkers("rpcrdma-connect-" + device.name(), CONNECTING);
    this.events = CmChannel.open(core, id -> workers.run(() -> core.cm().rdmaDestroyId(id)));
  }

  @Override
  public String name() {
    return device.name();
  }

  @Override
  public DeviceAttributes attributes() {
    return device.attributes();
  }

  @Override
  public ProtectionDomain allocateProtectionDomain() {
    return new SharedDomain();
  }

  @Override
  public Future<VerbsListener> listen(Context context, SocketAddress address, ListenOptions wanted,
      Handler<ConnectionRequest> handler) {
    if (wanted.tls().isPresent()) {
      return Future.failedFuture(NoTls.refusal(PROVIDER));
    }
    if (closing.get()) {
      return Future.failedFuture(PairDevice.closedException());
    }
    if (!address.isInetSocket()) {
      return Future.failedFuture(noAddress(address));
    }
    try {
      Loops.check(Contexts.eventLoop(context));
    } catch (VerbsException e) {
      return Future.failedFuture(e);
    }
    Listener listener = new Listener(this, Loops.onLoop(context), handler);
    listeners.add(listener);
    listener.whenGone().onComplete(done -> listeners.remove(listener));
    return listener.listen(address);
  }

  @Override
  public Future<QueuePair> connect(Context context, SocketAddress remote, ProtectionDomain domain,
      ConnectionOptions wanted, QueuePairSetup setup) {
    try {
      if (closing.get()) {
        throw PairDevice.closedException();
      }
      if (!remote.isInetSocket()) {
        throw noAddress(remote);
      }
      NoTls.check(PROVIDER, wanted.tls());
      check(wanted, attributes().connectPrivateData());
      Connecting made = new Connecting(this, context, remote, PairDevice.checkDomain(domain), wanted, setup);
      add(made);
      return made.connect();
    } catch (VerbsException e) {
      return Future.failedFuture(e);
    }
  }

  private static VerbsException noAddress(SocketAddress address) {
    return new VerbsException(Kind.INVALID_ARGUMENT, "An RDMA device needs a host and a port, not " + address);
  }

  @Override
  public Vertx vertx() {
    return vertx;
  }

  @Override
  public RdmaCore core() {
    return core;
  }

  @Override
  public RdmaDevice device() {
    return device;
  }

  @Override
  public IbverbsOptions options() {
    return options;
  }

  @Override
  public CmChannel events() {
    return events;
  }

  @Override
  public IbverbsWorkers workers() {
    return workers;
  }

  @Override
  public IbverbsWorkers connecting() {
    return connecting;
  }

  @Override
  public Revocations revocations() {
    return revocations;
  }

  @Override
  public Future<CompletionChannel> channel(EventLoop loop) {
    return channels.compute(loop, (same, known) -> {
      if (known == null || known.failed()) {
        return CompletionChannel.open(core, device.context(), loop);
      }
      if (known.succeeded() && known.result().isBroken()) {
        broken.add(known.result());
        return CompletionChannel.open(core, device.context(), loop);
      }
      return known;
    });
  }

  @Override
  public void add(Closing what) {
    connections.add(what);
    what.whenGone().onComplete(done -> connections.remove(what));
    if (closing.get()) {
      what.close();
    }
  }

  @Override
  public Future<Void> close() {
    if (closing.compareAndSet(false, true)) {
      closeAll(listeners).compose(done -> closeAll(connections)).onComplete(done -> {
        channels.values().forEach(channel -> channel.onSuccess(CompletionChannel::close));
        broken.forEach(CompletionChannel::close);
        // Rejections that are under way still use it.
        workers.end(events::close);
        connecting.end(() -> { });
        closed.complete();
      });
    }
    return closed.future();
  }

  private static Future<Void> closeAll(Set<Closing> set) {
    return Future.join(set.stream().map(Closing::close).toList()).mapEmpty();
  }
}
