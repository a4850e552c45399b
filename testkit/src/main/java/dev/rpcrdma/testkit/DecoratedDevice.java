// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.DeviceAttributes;
import dev.rpcrdma.verbs.ListenOptions;
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
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** Wraps the queue pairs of a device, those that it connects and those that it accepts. */
abstract class DecoratedDevice implements VerbsDevice {

  private final VerbsDevice delegate;

  DecoratedDevice(VerbsDevice delegate) {
    this.delegate = delegate;
  }

  /** Wraps a queue pair that is being set up. */
  abstract DecoratedQueuePair decorate(QueuePair queuePair, ConnectionOptions options);

  /** The wrapped device's domain of one that {@link #allocateProtectionDomain} gave. */
  ProtectionDomain own(ProtectionDomain domain) {
    return domain;
  }

  private Future<QueuePair> wrap(ConnectionOptions options, QueuePairSetup setup,
      Function<QueuePairSetup, Future<QueuePair>> method) {
    AtomicReference<QueuePair> wrapped = new AtomicReference<>();
    return method.apply(queuePair -> {
      DecoratedQueuePair decorated = decorate(queuePair, options);
      wrapped.set(decorated);
      return decorated.handler(setup.setup(decorated));
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
  public Future<VerbsListener> listen(Context context, SocketAddress address, ListenOptions options,
      Handler<ConnectionRequest> handler) {
    return delegate.listen(context, address, options, request -> handler.handle(new Request(request)));
  }

  @Override
  public Future<QueuePair> connect(Context context, SocketAddress remote, ProtectionDomain domain,
      ConnectionOptions options, QueuePairSetup setup) {
    return wrap(options, setup,
        wrapping -> delegate.connect(context, remote, own(domain), options, wrapping));
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
    public OptionalInt peerInboundReads() {
      return request.peerInboundReads();
    }

    @Override
    public OptionalInt peerOutboundReads() {
      return request.peerOutboundReads();
    }

    @Override
    public Future<QueuePair> accept(Context context, ProtectionDomain domain,
        ConnectionOptions options, QueuePairSetup setup) {
      return wrap(options, setup,
          wrapping -> request.accept(context, own(domain), options, wrapping));
    }

    @Override
    public Future<Void> reject(Buffer privateData) {
      return request.reject(privateData);
    }
  }
}
