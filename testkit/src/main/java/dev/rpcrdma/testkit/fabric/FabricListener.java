// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.net.SocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;

/** A listening address. How many requests may wait for their answer is bounded. */
final class FabricListener implements VerbsListener {

  /** More find nobody. */
  private static final int MAX_PENDING = 1024;

  private final FabricDevice device;
  private final Context context;
  private final Handler<ConnectionRequest> handler;
  private final Set<IncomingRequest> pending = ConcurrentHashMap.newKeySet();
  private SocketAddress localAddress;
  private volatile boolean closing;

  FabricListener(FabricDevice device, Context context, Handler<ConnectionRequest> handler) {
    this.device = device;
    this.context = context;
    this.handler = handler;
  }

  void bind(SocketAddress address) {
    localAddress = FabricAddresses.bind(address, this);
  }

  FabricDevice device() {
    return device;
  }

  /**
   * Somebody wants to connect. From any thread.
   *
   * @return false if no more requests can wait, or nobody can see them
   */
  boolean request(IncomingRequest request) {
    synchronized (this) {
      if (pending.size() >= MAX_PENDING) {
        return false;
      }
      pending.add(request);
    }
    try {
      Contexts.eventLoop(context).execute(() -> Contexts.dispatch(context, request, this::ask));
      return true;
    } catch (RejectedExecutionException e) {
      pending.remove(request);
      return false;
    }
  }

  private void ask(IncomingRequest request) {
    if (closing) {
      request.refuse();
    } else {
      handler.handle(request);
    }
  }

  void answered(IncomingRequest request) {
    pending.remove(request);
  }

  @Override
  public SocketAddress localAddress() {
    return localAddress;
  }

  @Override
  public Future<Void> close() {
    closing = true;
    FabricAddresses.release(localAddress, this);
    device.gone(this);
    pending.forEach(IncomingRequest::refuse);
    return Future.succeededFuture();
  }
}
