package dev.rpcrdma.api.impl;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * A channel: the connection it has now, or is making. When that is lost, its calls fail, and the next
 * call makes a new one.
 */
final class RpcChannelImpl implements RpcChannel {

  private final RpcClientImpl client;
  private final ContextInternal context;
  private final SocketAddress address;
  /** Guarded by this. */
  private final List<BoundService> services = new ArrayList<>();
  /** Guarded by this; null when there is none. */
  private Future<RpcConnectionImpl> current;
  /** The connection of {@link #current} while that is up: spares each call the lock. */
  private volatile RpcConnectionImpl up;
  /** Guarded by this; null until close. */
  private Future<Void> closed;

  RpcChannelImpl(RpcClientImpl client, ContextInternal context, SocketAddress address) {
    this.client = client;
    this.context = context;
    this.address = address;
  }

  @Override
  public Future<RpcConnection> connect() {
    Promise<RpcConnection> promise = CallerContext.promise(context);
    current().<RpcConnection>map(connection -> connection).onComplete(promise);
    return promise.future();
  }

  @Override
  public <T> Future<T> call(RpcRequest<T> request) {
    return EncodedCall.make(request, context, this::call);
  }

  private void call(EncodedCall<?> call) {
    RpcConnectionImpl made = up;
    if (made != null && !made.ended()) {
      made.call(call);
      return;
    }
    Future<RpcConnectionImpl> connection = current();
    if (connection.succeeded()) {
      connection.result().call(call);
      return;
    }
    connection.onComplete(result -> {
      if (result.succeeded()) {
        result.result().call(call);
      } else {
        call.fail(result.cause());
      }
    });
  }

  private synchronized Future<RpcConnectionImpl> current() {
    if (closed != null) {
      return context.failedFuture(new RpcClosedException("The channel is closed"));
    }
    if (current != null && !(current.succeeded() && current.result().ended())) {
      return current;
    }
    Future<RpcConnectionImpl> made = client.connect(this, address).compose(this::announce);
    current = made;
    // May be called at once, when connecting has failed already.
    made.onComplete(result -> {
      if (result.succeeded()) {
        keep(made);
        result.result().closeFuture().onComplete(ended -> forget(made));
      } else {
        forget(made);
      }
    });
    return made;
  }

  private synchronized void keep(Future<RpcConnectionImpl> connection) {
    if (current == connection && closed == null) {
      up = connection.result();
    }
  }

  private synchronized void forget(Future<RpcConnectionImpl> connection) {
    if (current == connection) {
      current = null;
      up = null;
    }
  }

  /** Gives a connection, before it is made, what the channel serves. */
  void prepare(RpcConnectionImpl connection) {
    for (BoundService service : services()) {
      connection.serve(service);
    }
  }

  private synchronized List<BoundService> services() {
    return List.copyOf(services);
  }

  /** Tells the server what it may call back (R-223, R-225: everything is ready by now). */
  private Future<RpcConnectionImpl> announce(RpcConnectionImpl connection) {
    List<BoundService> all = services();
    if (all.isEmpty()) {
      return Future.succeededFuture(connection);
    }
    return connection.call(ControlProgram.announce(all)).transform(result -> {
      // A server without our control program never calls back by it; everything else works.
      if (result.succeeded() || result.cause() instanceof RpcRejectedException) {
        return Future.succeededFuture(connection);
      }
      return connection.close().transform(done -> Future.failedFuture(result.cause()));
    });
  }

  @Override
  public RpcChannel bind(RpcService service) {
    UpperLayerBinding binding = service.binding();
    BoundService bound = BoundService.shared(service, context);
    Future<RpcConnectionImpl> connected;
    synchronized (this) {
      for (BoundService other : services) {
        if (other.binding().program() == binding.program()
            && other.binding().version() == binding.version()) {
          throw new IllegalArgumentException("Program 0x"
              + Integer.toHexString(binding.program()) + " is bound already");
        }
      }
      services.add(bound);
      connected = current;
    }
    if (connected != null) {
      connected.onSuccess(connection -> connection.serveAndAnnounce(bound, services()));
    }
    return this;
  }

  @Override
  public Future<Void> close() {
    synchronized (this) {
      if (closed == null) {
        up = null;
        Future<RpcConnectionImpl> connection = current;
        closed = connection == null ? context.succeededFuture()
            : connection.transform(result -> result.succeeded() ? result.result().close()
                : context.succeededFuture());
        closed.onComplete(done -> client.forget(this));
      }
      return closed;
    }
  }
}
