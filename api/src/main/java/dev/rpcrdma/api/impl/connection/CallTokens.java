// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.impl.call.TokenChannel;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.security.CallProtector;
import dev.rpcrdma.verbs.base.Causes;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Handles that the peer of one connection has given for tokens of single calls, each for as many calls as have that
 * token. Handles that calls use are no more than the peer keeps: calls with further tokens wait. On the connection's
 * loop.
 */
final class CallTokens {

  /** A server keeps twice as many handles of a client, in which there are those of an earlier connection, too. */
  private static final int MOST = 256;

  private final RpcConnectionImpl connection;
  private final Duration timeout;
  /** By token, those first that were used longest ago. */
  private final Map<String, Exchanged> exchanged = new LinkedHashMap<>(16, 0.75f, true);
  /** Those that wait until a handle is not in use any more, with their tokens. */
  private final Map<CallProtector.Listener, String> waiting = new LinkedHashMap<>();
  private boolean serving;

  /**
   * Has no handles yet.
   *
   * @param timeout how long the peer may take for a token
   */
  CallTokens(RpcConnectionImpl connection, Duration timeout) {
    this.connection = connection;
    this.timeout = timeout;
  }

  /** As {@link TokenChannel#show}. */
  void show(String token, CallProtector.Listener listener) {
    Exchanged known = exchanged.get(token);
    if (known == null || known.isOver()) {
      if (exchanged.size() >= MOST && !removeIdle()) {
        waiting.put(listener, token);
        return;
      }
      known = new Exchanged(token);
      exchanged.put(token, known);
      known.begin();
    }
    known.show(listener);
  }

  /** As {@link TokenChannel#forget}. */
  void forget(CallProtector.Listener listener) {
    waiting.remove(listener);
  }

  private boolean hasRoom() {
    return exchanged.size() < MOST || exchanged.values().stream().anyMatch(each -> each.users == 0);
  }

  /** Removes the handle that was used longest ago; false if calls use all of them. */
  private boolean removeIdle() {
    Iterator<Exchanged> each = exchanged.values().iterator();
    while (each.hasNext()) {
      if (each.next().users == 0) {
        each.remove();
        return true;
      }
    }
    return false;
  }

  /** Serves those that wait, as far as there are handles. Each may end at once, and so by a loop. */
  private void serveWaiting() {
    if (serving) {
      return;
    }
    serving = true;
    try {
      while (!waiting.isEmpty() && hasRoom()) {
        Map.Entry<CallProtector.Listener, String> next = waiting.entrySet().iterator().next();
        waiting.remove(next.getKey());
        show(next.getValue(), next.getKey());
      }
    } finally {
      serving = false;
    }
  }

  /** A token, its handle, and how long that is good for. */
  private final class Exchanged {

    private final String token;
    private Future<ControlProgram.Handle> handle;
    private long end = Long.MAX_VALUE;
    /** Calls that wait for the handle, or for an answer. */
    private int users;

    Exchanged(String token) {
      this.token = token;
    }

    void begin() {
      handle = TokenExchange.over(connection, token, timeout).onComplete(given -> {
        if (given.seconds() > 0) {
          end = System.nanoTime() + TimeUnit.SECONDS.toNanos(given.seconds());
        }
      }, e -> remove());
    }

    void show(CallProtector.Listener listener) {
      users++;
      handle.onComplete(given -> listener.ready(new Shown(this, given.credential())), e -> {
        released();
        listener.unavailable(Causes.message(e));
      });
    }

    void released() {
      users--;
      if (users == 0) {
        serveWaiting();
      }
    }

    boolean isOver() {
      return end != Long.MAX_VALUE && end - System.nanoTime() <= 0;
    }

    void remove() {
      exchanged.remove(token, this);
    }
  }

  /** What one transmission shows. */
  private final class Shown extends HandleShown {

    private final Exchanged of;
    private boolean ended;

    Shown(Exchanged of, OpaqueAuth credential) {
      super(credential);
      this.of = of;
    }

    @Override
    protected void unknown() {
      of.remove();
    }

    @Override
    public void ended() {
      try {
        connection.onLoop(this::endOnLoop);
      } catch (RejectedExecutionException e) {
        // Vert.x is closed, and nobody waits for a handle any more.
      }
    }

    private void endOnLoop() {
      if (!ended) {
        ended = true;
        of.released();
      }
    }
  }
}
