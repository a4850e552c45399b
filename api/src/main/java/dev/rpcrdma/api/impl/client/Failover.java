// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcConnectionLostException;
import dev.rpcrdma.api.RpcDecodingException;
import dev.rpcrdma.api.RpcEncodingException;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcResourceException;
import dev.rpcrdma.api.RpcSecurityException;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.api.RpcTransportException;
import dev.rpcrdma.api.RpcUnsupportedException;
import dev.rpcrdma.verbs.base.Causes;
import java.util.stream.Stream;

/**
 * Which calls go to another server. That is another session, which knows nothing of what was sent to the first: only
 * what has certainly not been executed may go there, what is harmless whatever happened, and what is claimed where all
 * servers see it before it is executed.
 */
final class Failover {

  private Failover() {}

  /**
   * Whether a call may go to another server.
   *
   * @param failure what became of it
   * @param harmless whether executing it is harmless at any time and on any server, and may be done again
   * @param replicated whether all servers together execute it at most once
   */
  static boolean mayGoOn(Throwable failure, boolean harmless, boolean replicated) {
    if (failure instanceof RpcConnectException || failure instanceof RpcConnectionLostException
        || failure instanceof RpcClosedException || failure instanceof RpcResourceException) {
      return harmless || replicated || !((RpcException) failure).maybeExecuted();
    }
    return false;
  }

  /** Whether a server has answered the call, though not with its results. */
  static boolean isAnswer(Throwable failure) {
    return failure instanceof RpcRejectedException || failure instanceof RpcDecodingException
        || !(failure instanceof RpcException);
  }

  /** Whether the server may have executed the call. */
  static boolean maybeExecuted(Throwable failure) {
    return failure instanceof RpcException known && known.maybeExecuted();
  }

  /** The same failure of a call that another server may have executed before. */
  static Throwable maybeExecutedBefore(Throwable failure) {
    if (maybeExecuted(failure)) {
      return failure;
    }
    Throwable again = again(failure);
    if (again != failure) {
      again.setStackTrace(failure.getStackTrace());
      Stream.of(failure.getSuppressed()).forEach(again::addSuppressed);
    }
    return again;
  }

  private static Throwable again(Throwable failure) {
    String message = Causes.message(failure);
    if (failure instanceof RpcTimeoutException) {
      return new RpcTimeoutException(message, true);
    }
    if (failure instanceof RpcCancelledException) {
      return new RpcCancelledException(message, true);
    }
    if (failure instanceof RpcConnectException) {
      return new RpcConnectException(message, failure.getCause(), true);
    }
    if (failure instanceof RpcConnectionLostException lost) {
      return new RpcConnectionLostException(message, true, lost.forgotten());
    }
    if (failure instanceof RpcClosedException) {
      return new RpcClosedException(message, true);
    }
    if (failure instanceof RpcSecurityException) {
      return new RpcSecurityException(message, true);
    }
    if (failure instanceof RpcEncodingException) {
      return new RpcEncodingException(message, failure.getCause(), true);
    }
    if (failure instanceof RpcUnsupportedException) {
      return new RpcUnsupportedException(message, true);
    }
    if (failure instanceof RpcResourceException) {
      return new RpcResourceException(message, failure.getCause(), true);
    }
    return failure instanceof RpcTransportException ? new RpcTransportException(message, true) : failure;
  }
}
