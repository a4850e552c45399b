package dev.rpcrdma.api.impl;

import dev.rpcrdma.api.ConnectFailedException;
import dev.rpcrdma.api.ConnectionLostException;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcDecodingException;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.api.RpcTransportException;
import dev.rpcrdma.protocol.connection.CallFailure;
import dev.rpcrdma.protocol.connection.CallListener;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.XdrReader;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.util.function.Supplier;

/** Turns the outcome of a call into the caller's future. */
final class CallOutcome<T> implements CallListener {

  private final RpcRequest<T> request;
  private final Promise<T> promise;
  private final ContextInternal context;
  private final Supplier<Throwable> connectFailure;

  /**
   * Creates it.
   *
   * @param context of the connection's event loop; current while results are decoded
   * @param connectFailure why the last attempt to connect has failed
   */
  CallOutcome(RpcRequest<T> request, Promise<T> promise, ContextInternal context,
      Supplier<Throwable> connectFailure) {
    this.request = request;
    this.promise = promise;
    this.context = context;
    this.connectFailure = connectFailure;
  }

  @Override
  public void replied(ReplyHeader header, XdrReader results) {
    if (header instanceof ReplyHeader.Accepted accepted
        && accepted.status() == AcceptStatus.SUCCESS) {
      decode(results);
    } else {
      promise.fail(rejection(header));
    }
  }

  private void decode(XdrReader results) {
    T value;
    ContextInternal previous = context.beginDispatch();
    try {
      value = request.results().decode(results);
    } catch (RpcException e) {
      promise.fail(e);
      return;
    } catch (RuntimeException e) {
      promise.fail(new RpcDecodingException("The results of " + name() + " cannot be decoded; do"
          + " both ends have the same version of the interface? " + e.getMessage(), e));
      return;
    } finally {
      context.endDispatch(previous);
    }
    promise.complete(value);
  }

  private RpcException rejection(ReplyHeader header) {
    if (header instanceof ReplyHeader.RpcMismatch mismatch) {
      return new RpcRejectedException("The peer speaks RPC versions " + mismatch.low() + " to "
          + mismatch.high() + ", not 2");
    }
    if (header instanceof ReplyHeader.AuthError error) {
      return new RpcRejectedException(error.status(),
          "The peer refuses the credentials of " + name() + ": " + error.status());
    }
    ReplyHeader.Accepted accepted = (ReplyHeader.Accepted) header;
    return new RpcRejectedException(accepted.status(), switch (accepted.status()) {
      case PROG_UNAVAIL -> "The peer does not serve the program of " + name()
          + "; bind it there";
      case PROG_MISMATCH -> "The peer serves versions "
          + Integer.toUnsignedString(accepted.low()) + " to "
          + Integer.toUnsignedString(accepted.high()) + " of the program of " + name();
      case PROC_UNAVAIL -> "The peer's program has no procedure of " + name();
      case GARBAGE_ARGS -> "The peer cannot decode the arguments of " + name()
          + "; do both ends have the same version of the interface?";
      case SYSTEM_ERR -> "The peer's service failed while it executed " + name()
          + "; its log says why";
      case SUCCESS -> throw new IllegalStateException("Success is no rejection");
    });
  }

  @Override
  public void failed(CallFailure failure) {
    String message = name() + ": " + failure.message();
    promise.fail(switch (failure.kind()) {
      case TIMEOUT -> new RpcTimeoutException(message);
      case CANCELLED -> new RpcCancelledException(message);
      case CONNECTION_LOST -> new ConnectionLostException(message, failure.sent(), false);
      case FORGOTTEN -> new ConnectionLostException(message, failure.sent(), true);
      case NOT_CONNECTED -> notConnected(message);
      case CLOSED -> new RpcClosedException(message);
      case REMOTE_ERROR, BAD_REPLY, RESOURCES -> new RpcTransportException(message);
    });
  }

  private ConnectFailedException notConnected(String message) {
    Throwable failure = connectFailure.get();
    return new ConnectFailedException(message,
        failure instanceof ConnectFailedException ? failure.getCause() : failure);
  }

  private String name() {
    return "program 0x" + Integer.toHexString(request.program()) + " version "
        + Integer.toUnsignedString(request.version()) + " procedure "
        + Integer.toUnsignedString(request.procedure());
  }
}
