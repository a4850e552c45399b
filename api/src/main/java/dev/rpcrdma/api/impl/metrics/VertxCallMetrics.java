// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.metrics;

import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.protocol.binding.ProgramNames;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.metrics.ClientMetrics;
import io.vertx.core.spi.metrics.PoolMetrics;
import io.vertx.core.spi.metrics.VertxMetrics;

/**
 * What the backend of Vert.x's metrics hears of the calls to one remote: calls as those of a client, credits as a pool
 * whose queue is for who has none. On the loop of the calls.
 */
final class VertxCallMetrics {

  private static final String TYPE = "rpcrdma";
  private static final String CREDITS = "rpcrdma-credits";
  /** A power of two. */
  private static final int RECENT = 64;

  private final Backend backend;
  private final ClientMetrics<Object, Object, Object> calls;
  /** Null if the backend has no pools. */
  private final PoolMetrics<Object, Object> credits;
  /** Those that were asked for last. */
  private final Uri[] recent = new Uri[RECENT];

  private record Uri(String program, String procedure, String text) {}

  private VertxCallMetrics(Backend backend, ClientMetrics<Object, Object, Object> calls,
      PoolMetrics<Object, Object> credits) {
    this.backend = backend;
    this.calls = calls;
    this.credits = credits;
  }

  /** Null if the backend has none, or cannot make any. */
  @SuppressWarnings("unchecked") // a backend gets back what it has made
  static VertxCallMetrics of(VertxMetrics metrics, SocketAddress remote, String name, int mostCredits) {
    Backend backend = Backend.of(metrics);
    try {
      SocketAddress server = numbered(remote);
      ClientMetrics<?, ?, ?> calls = metrics.createClientMetrics(server, TYPE, name);
      PoolMetrics<?, ?> credits = metrics.createPoolMetrics(CREDITS, name.isEmpty() ? server.toString() : name,
          mostCredits);
      return calls == null ? null : new VertxCallMetrics(backend,
          (ClientMetrics<Object, Object, Object>) calls, (PoolMetrics<Object, Object>) credits);
    } catch (Throwable e) {
      backend.failed(e);
      return null;
    }
  }

  /** Returns the address by its number, if that is known: servers of one name are told apart. */
  private static SocketAddress numbered(SocketAddress remote) {
    return remote.hostAddress() == null ? remote : SocketAddress.inetSocketAddress(remote.port(), remote.hostAddress());
  }

  /** What the backend knows a call by. */
  static class Tokens {

    private Object call;
    private Object queue;
    private Object credit;
    private boolean sent;
    private boolean queued;
    private boolean inUse;
  }

  private String uri(RpcRequest<?> request) {
    int place = (request.name().hashCode() + request.programName().hashCode()) & RECENT - 1;
    Uri known = recent[place];
    if (known == null || !known.procedure.equals(request.name()) || !known.program.equals(request.programName())) {
      known = new Uri(request.programName(), request.name(),
          ProgramNames.procedure(request.programName(), request.name()));
      recent[place] = known;
    }
    return known.text;
  }

  void begin(Tokens tokens, RpcRequest<?> request) {
    if (!backend.isOn()) {
      return;
    }
    try {
      tokens.call = calls.init();
      calls.requestBegin(tokens.call, uri(request), request);
      if (credits != null) {
        tokens.queue = credits.enqueue();
        tokens.queued = true;
      }
    } catch (Throwable e) {
      backend.failed(e);
    }
  }

  /** It has a credit, and is on its way. */
  void credit(Tokens tokens) {
    if (!backend.isOn() || tokens.sent) {
      return;
    }
    tokens.sent = true;
    try {
      if (tokens.queued) {
        tokens.queued = false;
        credits.dequeue(tokens.queue);
        tokens.credit = credits.begin();
        tokens.inUse = true;
      }
      calls.requestEnd(tokens.call);
    } catch (Throwable e) {
      backend.failed(e);
    }
  }

  void end(Tokens tokens, boolean success) {
    if (!backend.isOn()) {
      return;
    }
    try {
      if (tokens.queued) {
        credits.dequeue(tokens.queue);
      } else if (tokens.inUse) {
        credits.end(tokens.credit);
      }
      if (success) {
        calls.responseBegin(tokens.call, null);
        calls.responseEnd(tokens.call);
      } else {
        calls.requestReset(tokens.call);
      }
    } catch (Throwable e) {
      backend.failed(e);
    }
  }

  void connected() {
    backend.tell(calls::connected);
  }

  void disconnected() {
    backend.tell(calls::disconnected);
  }

  void close() {
    backend.tell(calls::close);
    if (credits != null) {
      backend.tell(credits::close);
    }
  }
}
