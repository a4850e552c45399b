// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.verbs.base.Causes;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;

/** What the event bus is told of messages that do not arrive. */
final class BusFailures {

  /** The failure code of what may not cross, as that of authorization on the event bus. */
  static final int FORBIDDEN = 403;
  /** The failure code of callers that are not let in, as that of authentication on the event bus. */
  static final int UNAUTHORIZED = 401;
  /** Failure code of a message that found no connection, or a peer without a bridge; its consumer may be there. */
  private static final int UNREACHABLE = 503;
  private static final int NO_CODE = -1;
  /** Characters of a peer's text that a message repeats. */
  private static final int MOST_SHOWN = 100;

  private BusFailures() {}

  /** A message that is not permitted; its action is null if it has none. */
  static ReplyException forbidden(String address, String action) {
    return new ReplyException(ReplyFailure.RECIPIENT_FAILURE, FORBIDDEN,
        address + (action == null ? "" : "/" + action) + " may not cross the bridge");
  }

  /** A reply that names an object at an address that is none of an object. */
  static ReplyException noObject(String address) {
    return new ReplyException(ReplyFailure.RECIPIENT_FAILURE, FORBIDDEN, "The reply names an object at "
        + (address.length() > MOST_SHOWN ? address.substring(0, MOST_SHOWN) + "…" : address) + ", which may not cross"
        + " the bridge: the address in the header " + ObjectAddress.HEADER
        + " has to be a UUID, as vertx-service-proxy makes it");
  }

  /** A reply that names an object, whose peer has as many objects as it may. */
  static ReplyException tooManyObjects(int number) {
    return error("The bridge knows " + number + " objects of this peer, and has no room for the one that the reply"
        + " names: close some of them first");
  }

  /** A reply that waits for an answer, to a peer that has as many of them as it may. */
  static ReplyException tooManyReplies(int number) {
    return error("The bridge keeps " + number + " replies that wait for an answer of this peer, and has no room for one"
        + " more: answer some of them first");
  }

  /** A body that the event bus of this end cannot send; its codec is null if the event bus has one of its own. */
  static ReplyException noCodec(String codec, IllegalArgumentException cause) {
    return error("The event bus behind the bridge cannot send a body of codec " + codec
        + ": register the codec there by EventBus.registerCodec (" + Causes.message(cause) + ")");
  }

  static ReplyException error(String message) {
    return new ReplyException(ReplyFailure.ERROR, NO_CODE, message);
  }

  /** What a failure of the call means that carried a message. */
  static ReplyException of(Throwable cause) {
    if (cause instanceof ReplyException known) {
      return known;
    }
    if (cause instanceof RpcTimeoutException) {
      return new ReplyException(ReplyFailure.TIMEOUT, NO_CODE, Causes.message(cause));
    }
    if (cause instanceof RpcRejectedException rejected && rejected.authStatus().isPresent()) {
      return new ReplyException(ReplyFailure.RECIPIENT_FAILURE, UNAUTHORIZED, Causes.message(cause));
    }
    boolean nobody = cause instanceof RpcConnectException failure && !failure.maybeExecuted()
        || cause instanceof RpcRejectedException rejected && isUnavailable(rejected);
    return nobody ? new ReplyException(ReplyFailure.NO_HANDLERS, UNREACHABLE, Causes.message(cause))
        : error(cause instanceof RpcException ? Causes.message(cause) : Causes.text(cause));
  }

  /** Returns whether the event bus of the consumer says that there is none. */
  static boolean hasNoConsumer(Throwable cause) {
    return cause instanceof ReplyException failure && failure.failureType() == ReplyFailure.NO_HANDLERS
        && failure.failureCode() != UNREACHABLE;
  }

  private static boolean isUnavailable(RpcRejectedException rejected) {
    return rejected.acceptStatus().filter(status -> status == AcceptStatus.PROG_UNAVAIL
        || status == AcceptStatus.PROG_MISMATCH).isPresent();
  }
}
