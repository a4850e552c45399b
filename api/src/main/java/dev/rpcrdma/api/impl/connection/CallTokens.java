// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.impl.call.TokenChannel;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.security.BodyProtection;
import dev.rpcrdma.protocol.security.CallProtection;
import dev.rpcrdma.protocol.security.CallProtector;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Handles that the peer of one connection has given for tokens of single calls, each for as many calls as have that
 * token. On the connection's loop.
 */
final class CallTokens {

  /** Of more users at a time some tokens are exchanged again; a server keeps more for each client. */
  private static final int MOST = 128;

  private final RpcConnectionImpl connection;
  private final Duration timeout;
  /** By token, those first that were used longest ago. */
  private final Map<String, Exchanged> exchanged = new LinkedHashMap<>(16, 0.75f, true);

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
      known = new Exchanged(token);
      exchanged.put(token, known);
      if (exchanged.size() > MOST) {
        exchanged.remove(exchanged.keySet().iterator().next());
      }
      known.begin();
    }
    Exchanged shown = known;
    shown.handle.onComplete(given -> listener.ready(new Shown(shown, given.credential())),
        e -> listener.unavailable(e.getMessage()));
  }

  /** A token, its handle, and how long that is good for. */
  private final class Exchanged {

    private final String token;
    private Future<ControlProgram.Handle> handle;
    private long end = Long.MAX_VALUE;

    Exchanged(String token) {
      this.token = token;
    }

    void begin() {
      // No part of the call that is being served, if it is out of one that the token is shown.
      Context before = Contexts.beginDispatch(connection.context());
      try {
        handle = TokenExchange.over(connection, token, timeout).onComplete(given -> {
          if (given.seconds() > 0) {
            end = System.nanoTime() + TimeUnit.SECONDS.toNanos(given.seconds());
          }
        }, e -> forget());
      } finally {
        Contexts.endDispatch(connection.context(), before);
      }
    }

    boolean isOver() {
      return end != Long.MAX_VALUE && end - System.nanoTime() <= 0;
    }

    void forget() {
      exchanged.remove(token, this);
    }
  }

  /** The handle as the credential of one transmission. */
  private record Shown(Exchanged of, OpaqueAuth credential) implements CallProtection {

    @Override
    public int lengthInCall() {
      return credential.lengthInCall();
    }

    @Override
    public void writeInCall(ByteBuffer target, int start) {
      credential.writeInCall(target, start);
    }

    @Override
    public Optional<BodyProtection> bodies() {
      return Optional.empty();
    }

    @Override
    public int verifierLength() {
      return OpaqueAuth.NONE.encodedLength();
    }

    /** The server has forgotten the handle, or its time is over: the token is worth another exchange. */
    @Override
    public boolean outdated(AuthStatus status) {
      boolean unknown = status == AuthStatus.REJECTEDCRED;
      if (unknown) {
        of.forget();
      }
      return unknown;
    }

    @Override
    public void ended() {
      // A handle is for any number of calls.
    }
  }
}
