// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcStatusException;
import dev.rpcrdma.api.impl.call.CallInService;
import dev.rpcrdma.api.impl.call.CurrentCall;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.service.Failures;
import dev.rpcrdma.service.impl.DebugInfo;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.serviceproxy.ServiceException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * One call on the responder: arguments in, the implementation's outcome out.
 *
 * <p>A failure to read the arguments is the caller's fault and ends in an {@link XdrException},
 * which is answered GARBAGE_ARGS, even if a record's own constructor refused them. Failures of the
 * implementation never do, whatever it threw.
 */
public final class HandlerCall {

  /** The code of what a service has thrown; that of the event bus, as is the next one. */
  private static final int THROWN = 500;
  private static final int FAILED = -1;

  private final RpcCall call;
  private final Failures failures;
  private final ValueReader in;
  /** Context that made the called object; null if the service itself is called. */
  private Context objectContext;
  /** Whether the called object is still there when its method begins; null if the service itself is called. */
  private BooleanSupplier objectThere;
  private String objectType;

  private HandlerCall(RpcCall call, Failures failures) {
    this.call = call;
    this.failures = failures;
    this.in = ValueReader.ofArguments(call.arguments());
  }

  /**
   * Serves a call.
   *
   * @param call the call
   * @param failures how failures cross
   * @param procedures reads the arguments, then calls {@link #reply} once
   * @return what {@code reply} returned, or why it was not reached
   */
  public static Future<XdrEncoder> serve(RpcCall call, Failures failures,
      Function<HandlerCall, Future<XdrEncoder>> procedures) {
    HandlerCall served = new HandlerCall(call, failures);
    try {
      return procedures.apply(served);
    } catch (Throwable e) {
      served.in.releaseItems();
      return Future.failedFuture(Decoding.failure(e));
    }
  }

  /**
   * Which procedure is called.
   *
   * @return its number
   */
  public int procedure() {
    return call.procedure();
  }

  /**
   * Reads the arguments.
   *
   * @return the reader
   */
  public ValueReader in() {
    return in;
  }

  /**
   * Refuses a call of a procedure that the program does not have.
   *
   * @return a failure
   */
  public Future<XdrEncoder> unavailable() {
    return Future.failedFuture(new RpcStatusException(AcceptStatus.PROC_UNAVAIL,
        "No procedure " + Integer.toUnsignedString(call.procedure())));
  }

  /**
   * Calls the implementation.
   *
   * @param what the procedure's name
   * @param implementation the call
   * @param results writes what its future yields; refuses null if that cannot cross
   * @param <T> the type of the result
   * @return writes the reply
   */
  public <T> Future<XdrEncoder> reply(String what, Callable<Future<T>> implementation,
      BiConsumer<ValueWriter, T> results) {
    return invoke(what, implementation, new Reply<>(failures, results));
  }

  /**
   * Calls an implementation that yields nothing.
   *
   * @param what the procedure's name
   * @param implementation the call
   * @return writes the reply
   */
  public Future<XdrEncoder> reply(String what, Callable<Future<Void>> implementation) {
    return invoke(what, implementation, new Reply<>(failures, null));
  }

  /**
   * Calls an implementation that returns nothing, not even a future.
   *
   * @param what the procedure's name
   * @param implementation the call
   * @return writes the reply
   */
  public Future<XdrEncoder> run(String what, Runnable implementation) {
    return reply(what, () -> {
      implementation.run();
      return Future.succeededFuture();
    });
  }

  /**
   * Calls an implementation that yields an object. The object stays here, and its id crosses.
   *
   * @param what the procedure's name
   * @param implementation the call
   * @param objects the objects of the program
   * @param closer closes the object; what it returns may be a future
   * @param <T> the interface of the object
   * @return writes the reply
   */
  public <T> Future<XdrEncoder> make(String what, Callable<Future<T>> implementation, ServedObjects objects,
      Function<T, Object> closer) {
    return reply(what, () -> {
      Context context = ServedObjects.context();
      Future<T> made = implementation.call();
      return made == null ? null
          : made.map(object -> object == null ? null : objects.add(context, call, object, closer));
    }, (out, id) -> out.nullable(id, known -> Identifiers.writeUUID(out, known, "object")));
  }

  /**
   * Has the implementation called on the context that made the called object.
   *
   * @param context the context
   * @param type interface of the object
   * @param there asked immediately before the method of the object begins; takes the object if the method closes it
   */
  void on(Context context, Class<?> type, BooleanSupplier there) {
    objectContext = context;
    objectType = type.getSimpleName();
    objectThere = there;
  }

  /**
   * Refuses a call of an object that is not there.
   *
   * @param what its interface
   * @return writes the reply
   */
  public Future<XdrEncoder> gone(String what) {
    in.releaseItems();
    return failure(new ServiceException(ServedObjects.GONE, "There is no such " + what
        + ": it was closed, has not been used for a long time, or belongs to another server"), false);
  }

  private <T> Future<XdrEncoder> invoke(String what, Callable<Future<T>> implementation, Reply<T> reply) {
    if (objectContext == null || objectContext == Contexts.unwrap(ServedObjects.context())) {
      return invokeHere(what, implementation, reply);
    }
    Context own = Contexts.duplicate(objectContext);
    CurrentCall.serveOn(own);
    Promise<XdrEncoder> outcome = Promise.promise();
    try {
      own.runOnContext(here -> invokeLater(what, implementation, reply).onComplete(outcome));
    } catch (RejectedExecutionException e) {
      // The verticle that made the object is undeployed, and its threads are closed.
      return invokeHere(what, implementation, reply);
    }
    return outcome.future();
  }

  /** Calls the implementation behind the queue of the object's context. */
  private <T> Future<XdrEncoder> invokeLater(String what, Callable<Future<T>> implementation, Reply<T> reply) {
    Future<XdrEncoder> outcome = CallInService.begin(call, () -> invokeHere(what, implementation, reply));
    if (outcome.cause() == CallInService.NEVER_BEGUN) {
      in.releaseItems();
    }
    return outcome;
  }

  private <T> Future<XdrEncoder> invokeHere(String what, Callable<Future<T>> implementation, Reply<T> reply) {
    if (objectThere != null && !objectThere.getAsBoolean()) {
      return gone(objectType);
    }
    Future<T> outcome;
    try {
      outcome = implementation.call();
      if (outcome == null) {
        outcome = Future.failedFuture(
            new IllegalStateException(what + " returned null instead of a future"));
      }
    } catch (Throwable e) {
      // Also an Error, as of a class that is not there: the arguments end with their call all the same.
      in.releaseItems();
      return failure(e, true);
    }
    // Most outcomes are there already.
    return outcome.isComplete() ? ended(outcome, reply)
        : outcome.transform(done -> ended(done, reply));
  }

  private <T> Future<XdrEncoder> ended(AsyncResult<T> outcome, Reply<T> reply) {
    in.releaseItems();
    if (outcome.succeeded()) {
      reply.result = outcome.result();
      return Future.succeededFuture(reply);
    }
    return failure(outcome.cause(), false);
  }

  /** Writes a successful outcome. */
  private static final class Reply<T> implements XdrEncoder {

    private final Failures failures;
    /** Null if there is nothing to write. */
    private final BiConsumer<ValueWriter, T> results;
    private T result;

    Reply(Failures failures, BiConsumer<ValueWriter, T> results) {
      this.failures = failures;
      this.results = results;
    }

    @Override
    public void encode(XdrWriter writer) {
      if (failures != Failures.NONE) {
        writer.int32(ServiceFailure.SUCCESS);
      }
      if (results == null) {
        return;
      }
      ValueWriter out = new ValueWriter(writer);
      try {
        results.accept(out, result);
      } finally {
        // The message releases what it carries as a data item, and that alone.
        if (result instanceof Payload payload && !out.hasPlaced(payload)) {
          payload.release();
        }
      }
    }
  }

  private Future<XdrEncoder> failure(Throwable cause, boolean thrown) {
    if (cause instanceof ServiceException failure && failures != Failures.NONE) {
      return Future.succeededFuture(writer -> ServiceFailure.write(writer, failure));
    }
    if (failures != Failures.NONE && !(cause instanceof RpcStatusException)) {
      int code = thrown ? THROWN : FAILED;
      Optional<ServiceException> told = DebugInfo.isIncluded(call) ? DebugInfo.failure(code, cause) : Optional.empty();
      if (told.isPresent() || failures == Failures.MESSAGES) {
        return failure(told.orElseGet(() -> new ServiceException(code, message(cause))), thrown);
      }
    }
    // The XDR of some other call that the implementation made: this call's arguments were fine.
    return Future.failedFuture(cause instanceof XdrException
        ? new IllegalStateException("The service failed", cause) : cause);
  }

  /** Returns what an exception of the application says, which may throw instead. */
  private static String message(Throwable cause) {
    try {
      return cause.getMessage();
    } catch (Throwable e) {
      return cause.getClass().getName();
    }
  }
}
