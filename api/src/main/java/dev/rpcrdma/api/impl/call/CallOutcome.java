// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcConnectionLostException;
import dev.rpcrdma.api.RpcDecodingException;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcResourceException;
import dev.rpcrdma.api.RpcSecurityException;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.api.RpcTransportException;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.requester.Outcome;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.ReplyException;
import java.time.Duration;

/** Turns the outcome of a call into the caller's future. */
public final class CallOutcome {

  private CallOutcome() {}

  /**
   * Results have come.
   *
   * @param context of the connection's event loop; current while results are decoded
   */
  static <T> void replied(RpcRequest<T> request, Promise<T> promise, Context context,
      XdrReader results) {
    T value;
    // A reply's batch of upcalls is on that context, unless a provider makes it a plain one.
    boolean elsewhere = Vertx.currentContext() != context;
    Context previous = elsewhere ? Contexts.beginDispatch(context) : null;
    try {
      value = request.results().decode(results);
    } catch (RpcException | ReplyException e) {
      promise.fail(e);
      return;
    } catch (Throwable e) {
      // Also an Error, as of a class that is not there: nobody else would end the call.
      promise.fail(new RpcDecodingException("The results of " + request.describe()
          + " cannot be decoded; do both ends have the same version of the interface? "
          + Causes.message(e), e));
      return;
    } finally {
      if (elsewhere) {
        Contexts.endDispatch(context, previous);
      }
    }
    promise.complete(value);
  }

  /** What a reply without results says. */
  static RpcException rejection(RpcRequest<?> request, ReplyHeader header) {
    if (header instanceof ReplyHeader.RpcMismatch mismatch) {
      return new RpcRejectedException("The peer speaks RPC versions " + mismatch.low() + " to "
          + mismatch.high() + ", not 2", true);
    }
    if (header instanceof ReplyHeader.AuthError error) {
      return new RpcRejectedException(error.status(),
          "The peer refuses the credentials of " + request.describe() + ": " + error.status(), true);
    }
    ReplyHeader.Accepted accepted = (ReplyHeader.Accepted) header;
    return new RpcRejectedException(accepted.status(), switch (accepted.status()) {
      case PROG_UNAVAIL -> "The peer does not serve the program of " + request.describe()
          + "; bind it there";
      case PROG_MISMATCH -> "The peer serves " + versions(accepted) + " of the program of " + request.describe();
      case PROC_UNAVAIL -> "The peer does not have the procedure " + request.describe();
      case GARBAGE_ARGS -> "The peer cannot decode the arguments of " + request.describe()
          + "; do both ends have the same version of the interface?";
      case SYSTEM_ERR -> "The peer's service failed while it executed " + request.describe()
          + ", or has not answered within the peer's serviceTimeout; the peer's log says why it failed";
      case SUCCESS -> throw new IllegalStateException("Success is no rejection");
    }, true);
  }

  private static String versions(ReplyHeader.Accepted accepted) {
    String low = Integer.toUnsignedString(accepted.low());
    return accepted.low() == accepted.high() ? "version " + low
        : "versions " + low + " to " + Integer.toUnsignedString(accepted.high());
  }

  /**
   * Why there is no reply.
   *
   * @param connectFailure why the last attempt to connect has failed; null if none has
   * @param timeout what it had
   * @param part whether it is a part of another call, by which it may have had less
   */
  public static RpcException failure(RpcRequest<?> request, Outcome.Failed failure,
      Throwable connectFailure, Duration timeout, boolean part) {
    if (failure.kind() == Outcome.Kind.TIMEOUT) {
      return new RpcTimeoutException(request.describe() + ": "
          + (failure.sent() ? failure.message() : "The call was not sent within its timeout")
          + " (" + timeout.toMillis()
          + (part ? " ms, or what was left of the call that it is a part of)" : " ms)")
          + (failure.sent() || connectFailure == null ? "" : ". " + Causes.message(connectFailure)), failure.sent());
    }
    return failure(request.describe(), failure, connectFailure);
  }

  /** Why a call is not made: it had been given up before. */
  static RpcException neverMade(RpcRequest<?> request) {
    return new RpcCancelledException(request.describe() + ": The call was cancelled before it was sent",
        false);
  }

  /** Why a call is not made: its caller serves one that has no time left. */
  static RpcException tooLate(RpcRequest<?> request) {
    return new RpcTimeoutException(
        request.describe() + ": Its time, or that of the call that is being served, is over", false);
  }

  /** Why there is no answer to something that has this name. */
  public static RpcException failure(String name, Outcome.Failed failure, Throwable connectFailure) {
    String message = name + ": " + failure.message();
    return switch (failure.kind()) {
      case TIMEOUT -> new RpcTimeoutException(message, failure.sent());
      case CANCELLED -> new RpcCancelledException(message, failure.sent());
      case CONNECTION_LOST -> new RpcConnectionLostException(message, failure.sent(), false);
      case FORGOTTEN -> new RpcConnectionLostException(message, failure.sent(), true);
      case NOT_CONNECTED -> notConnected(message, connectFailure, failure.sent());
      case CLOSED -> new RpcClosedException(message, failure.sent());
      case NOT_PROTECTED -> new RpcSecurityException(message, failure.sent());
      case OVERLOADED -> new RpcResourceException(message, null, failure.sent());
      case REMOTE_ERROR, BAD_REPLY, RESOURCES -> new RpcTransportException(message, failure.sent());
    };
  }

  private static RpcConnectException notConnected(String message, Throwable failure, boolean sent) {
    return new RpcConnectException(message,
        failure instanceof RpcConnectException ? failure.getCause() : failure, sent);
  }
}
