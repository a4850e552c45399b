// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.api.impl.call.CallProtectors;
import dev.rpcrdma.api.impl.connection.ControlProgram;
import dev.rpcrdma.api.impl.connection.HandleShown;
import dev.rpcrdma.api.impl.connection.RpcConnectionImpl;
import dev.rpcrdma.api.impl.connection.TokenExchange;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.SecureChannel;
import dev.rpcrdma.protocol.security.CallProtector;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.net.SocketAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The handle that a channel's server has given for the client's token, renewed as long as one connection lasts. What
 * comes late of an earlier connection changes nothing. On the channel's loop.
 */
final class TokenHandle implements CallProtectors, CallProtector {

  private static final Logger LOG = LoggerFactory.getLogger(TokenHandle.class);

  /** A renewal that has failed is tried again after so long. */
  private static final long PAUSE_MILLIS = 1_000;
  private static final long NO_TIMER = -1;

  private final Supplier<Future<String>> source;
  private final RpcClientOptions options;
  private final SocketAddress address;
  private final Context context;
  private final Consumer<Runnable> loop;
  /** Null until there is one. */
  private OpaqueAuth credential;
  /** The one that it is renewed over; null without one. */
  private RpcConnectionImpl connection;
  private long timer = NO_TIMER;
  /** What the application is asked for; null while it is not. */
  private Promise<String> asked;
  /** The last renewal has failed, and was told of. */
  private boolean failing;
  /** The server has said that it does not know the handle, and has given no other one yet. */
  private boolean unknown;
  /** Whether a token is being exchanged for calls that wait, or have waited until they were given up. */
  private boolean exchanging;
  /** Calls that wait for another handle. */
  private final Set<Listener> waiting = new LinkedHashSet<>();

  /**
   * A handle that is still to be had.
   *
   * @param source of tokens, the application's; null if the client has none
   * @param context of the channel's loop
   * @param loop runs on that loop, at once if that is now
   */
  TokenHandle(Supplier<Future<String>> source, RpcClientOptions options, SocketAddress address, Context context,
      Consumer<Runnable> loop) {
    this.source = source;
    this.options = options;
    this.address = address;
    this.context = context;
    this.loop = loop;
  }

  /** Whether the client has tokens. */
  boolean isWanted() {
    return source != null;
  }

  /** What proves who calls; null without a handle. */
  OpaqueAuth credential() {
    return credential;
  }

  /**
   * Gets one over a new connection.
   *
   * @return fails within twice the time to connect if there is none
   */
  Future<Void> get(RpcConnectionImpl over) {
    connection = over;
    // What is still asked for the calls of an earlier connection is nothing that those of this one wait for.
    exchanging = false;
    stop();
    return isWanted() ? exchange(over) : Future.succeededFuture();
  }

  // A handle that the server has forgotten

  @Override
  public boolean outdated(AuthStatus status, Credential shown) {
    if (status != AuthStatus.REJECTEDCRED || connection == null) {
      return false;
    }
    // The refusal of an earlier handle says nothing of this one.
    unknown |= shown == credential;
    return true;
  }

  @Override
  public CallProtector of(int program, int version) {
    return unknown ? this : null;
  }

  @Override
  public void protection(SecureChannel channel, Listener listener) {
    if (!unknown || connection == null) {
      // Another one is there meanwhile, or the call ends with its connection.
      listener.ready(new Shown(credential));
      return;
    }
    waiting.add(listener);
    if (!exchanging) {
      exchanging = true;
      RpcConnectionImpl over = connection;
      exchange(over).onFailure(e -> loop.accept(() -> notGiven(e, over)));
    }
  }

  @Override
  public Optional<String> forget(Listener listener) {
    waiting.remove(listener);
    return Optional.of("The peer has not judged the channel's token within the call's timeout");
  }

  private void notGiven(Throwable cause, RpcConnectionImpl over) {
    if (connection == over) {
      takeWaiting().forEach(listener -> listener.unavailable(Causes.message(cause)));
    }
  }

  private List<Listener> takeWaiting() {
    List<Listener> all = List.copyOf(waiting);
    exchanging = false;
    waiting.clear();
    return all;
  }

  /** The connection is lost. */
  void lost(RpcConnectionImpl over) {
    if (connection == over) {
      connection = null;
      stop();
    }
  }

  /** The channel is closed: nobody needs what the application may still answer. */
  void close() {
    connection = null;
    stop();
    if (asked != null) {
      asked.tryFail(new RpcClosedException("The channel is closed"));
    }
  }

  /** Shows a token of the application, which is asked for it apart from the call that a service has just now. */
  private Future<Void> exchange(RpcConnectionImpl over) {
    return Contexts.on(context, this::token)
        .compose(token -> TokenExchange.over(over, token, options.getConnectTimeout()))
        .map(given -> {
          loop.accept(() -> use(given, over));
          return null;
        });
  }

  /** The application may throw, answer null, or never answer. */
  private Future<String> token() {
    Promise<String> promise = Promise.promise();
    asked = promise;
    long millis = options.getConnectTimeout().toMillis();
    long waits = context.owner().setTimer(Math.max(1, millis), late -> promise.tryFail(new RpcTimeoutException(
        "The source of tokens has not answered within " + millis + " ms", false)));
    promise.future().onComplete(outcome -> context.owner().cancelTimer(waits));
    Future<String> answer;
    try {
      answer = source.get();
      if (answer == null) {
        answer = Future.failedFuture(new NullPointerException("The source of tokens returned no Future"));
      }
    } catch (Throwable e) {
      // Also an Error, as of a class that is not there: the next renewal must not be lost.
      answer = Future.failedFuture(e);
    }
    answer.onComplete(outcome -> {
      if (outcome.failed()) {
        promise.tryFail(outcome.cause());
      } else if (outcome.result() == null) {
        promise.tryFail(new NullPointerException("The source of tokens has given none"));
      } else {
        complete(promise, outcome.result());
      }
    });
    return promise.future();
  }

  /** Takes what a call may have as its token, too: of anything else a server could not say what is wrong. */
  private static void complete(Promise<String> promise, String token) {
    try {
      CallOptions.DEFAULT.withToken(token);
      promise.tryComplete(token);
    } catch (IllegalArgumentException e) {
      promise.tryFail(e);
    }
  }

  private void use(ControlProgram.Handle given, RpcConnectionImpl over) {
    if (connection == over) {
      credential = given.credential();
      failing = false;
      unknown = false;
      takeWaiting().forEach(listener -> listener.ready(new Shown(credential)));
      if (given.seconds() > 0) {
        // Before its time is over, so that no call finds it is.
        renewAfter(TimeUnit.SECONDS.toMillis(given.seconds()) * 3 / 4 + 1, over);
      }
    }
  }

  private void renewAfter(long millis, RpcConnectionImpl over) {
    if (connection == over) {
      stop();
      timer = context.owner().setTimer(millis, now -> loop.accept(() -> renew(over)));
    }
  }

  private void renew(RpcConnectionImpl over) {
    if (connection == over && !over.ended()) {
      exchange(over).onFailure(e -> loop.accept(() -> notRenewed(e, over)));
    }
  }

  private void notRenewed(Throwable cause, RpcConnectionImpl over) {
    if (connection == over && !failing) {
      failing = true;
      LOG.warn("The token could not be renewed at " + address + "; it is tried again each second, without a word",
          cause);
    }
    renewAfter(PAUSE_MILLIS, over);
  }

  private void stop() {
    if (timer != NO_TIMER) {
      context.owner().cancelTimer(timer);
      timer = NO_TIMER;
    }
  }

  /** The handle as what one transmission shows. */
  private final class Shown extends HandleShown {

    private final OpaqueAuth handle;

    Shown(OpaqueAuth handle) {
      super(handle);
      this.handle = handle;
    }

    @Override
    protected void unknown() {
      TokenHandle.this.outdated(AuthStatus.REJECTEDCRED, handle);
    }

    @Override
    public void ended() {
      // The handle is for any number of calls.
    }
  }
}
