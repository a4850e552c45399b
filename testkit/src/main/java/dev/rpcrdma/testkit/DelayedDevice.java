package dev.rpcrdma.testkit;

import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.DeviceAttributes;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairSetup;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsListener;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** The device of {@link DelayedCompletions}: wraps each queue pair on its way to the consumer. */
final class DelayedDevice implements VerbsDevice {

  private final VerbsDevice delegate;
  private final AtomicLong seeds;
  private final int maxTurns;

  DelayedDevice(VerbsDevice delegate, long seed, int maxTurns) {
    this.delegate = delegate;
    this.seeds = new AtomicLong(seed);
    this.maxTurns = maxTurns;
  }

  /** Calls connect or accept with a setup that wraps, and yields the wrapped queue pair. */
  private Future<QueuePair> wrap(ConnectionOptions options, QueuePairSetup setup,
      Function<QueuePairSetup, Future<QueuePair>> method) {
    AtomicReference<QueuePair> wrapped = new AtomicReference<>();
    Random delays = new Random(seeds.getAndIncrement());
    return method.apply(queuePair -> {
      DelayedQueuePair delayed = new DelayedQueuePair(queuePair, options, delays, maxTurns);
      wrapped.set(delayed);
      return delayed.handler(setup.setup(delayed));
    }).map(ignored -> wrapped.get());
  }

  @Override
  public String name() {
    return delegate.name();
  }

  @Override
  public DeviceAttributes attributes() {
    return delegate.attributes();
  }

  @Override
  public ProtectionDomain allocateProtectionDomain() {
    return delegate.allocateProtectionDomain();
  }

  @Override
  public Future<VerbsListener> listen(Context context, SocketAddress address,
      Handler<ConnectionRequest> handler) {
    return delegate.listen(context, address, request -> handler.handle(new Request(request)));
  }

  @Override
  public Future<QueuePair> connect(Context context, SocketAddress remote, ProtectionDomain domain,
      ConnectionOptions options, QueuePairSetup setup) {
    return wrap(options, setup,
        wrapping -> delegate.connect(context, remote, domain, options, wrapping));
  }

  @Override
  public Future<Void> close() {
    return delegate.close();
  }

  private final class Request implements ConnectionRequest {

    private final ConnectionRequest request;

    Request(ConnectionRequest request) {
      this.request = request;
    }

    @Override
    public SocketAddress localAddress() {
      return request.localAddress();
    }

    @Override
    public SocketAddress remoteAddress() {
      return request.remoteAddress();
    }

    @Override
    public Buffer privateData() {
      return request.privateData();
    }

    @Override
    public Future<QueuePair> accept(Context context, ProtectionDomain domain,
        ConnectionOptions options, QueuePairSetup setup) {
      return wrap(options, setup,
          wrapping -> request.accept(context, domain, options, wrapping));
    }

    @Override
    public Future<Void> reject(Buffer privateData) {
      return request.reject(privateData);
    }
  }
}
