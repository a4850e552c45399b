package dev.rpcrdma.service.runtime;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.Xdr;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.service.Failures;
import io.vertx.core.Future;
import io.vertx.serviceproxy.ServiceException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One call on the requester: arguments out, result or failure in. Whatever is wrong with the
 * arguments fails the future; nothing here throws.
 */
public final class ProxyCall {

  /** The largest failure arm with its status. */
  private static final int FAILURE_BOUND =
      4 + 4 + 4 + ServiceFailure.MAX_MESSAGE + 4 + ServiceFailure.MAX_DEBUG_INFO;

  /** The largest result, so that its size with status, length word and padding is an int. */
  private static final int MAX_RESULT = Integer.MAX_VALUE - 16;

  private final RpcCaller caller;
  private final Failures failures;
  private final RpcRequest.Builder<Void> request;
  private RuntimeException refused;

  /**
   * Begins a call without arguments.
   *
   * @param caller carries it
   * @param options for this call
   * @param binding the program
   * @param failures how failures cross
   * @param procedure the procedure's number
   */
  public ProxyCall(RpcCaller caller, CallOptions options, UpperLayerBinding binding,
      Failures failures, int procedure) {
    this.caller = caller;
    this.failures = failures;
    this.request = RpcRequest.to(binding, procedure).options(options);
  }

  /**
   * Takes a proxy apart.
   *
   * @param type the generated class
   * @param proxy what should be one
   * @param <P> the generated class
   * @return the proxy
   * @throws IllegalArgumentException if it is something else, such as the service itself
   */
  public static <P> P proxy(Class<P> type, Object proxy) {
    if (!type.isInstance(Values.present(proxy, "proxy"))) {
      throw new IllegalArgumentException(proxy + " is no " + type.getSimpleName());
    }
    return type.cast(proxy);
  }

  /**
   * The bound of replies with a result of a known size.
   *
   * @param result the largest result
   * @param failures how failures cross
   * @return room for the result and for a failure
   */
  public static ReplyBound replyBound(int result, Failures failures) {
    return ReplyBound.of(failures == Failures.NONE ? result
        : Math.max(Math.addExact(4, result), FAILURE_BOUND));
  }

  /**
   * Sets the arguments.
   *
   * @param encoder writes them, once, before {@link #call} returns
   * @return this
   */
  public ProxyCall arguments(Consumer<ValueWriter> encoder) {
    request.arguments(writer -> encoder.accept(new ValueWriter(writer)));
    return this;
  }

  /**
   * Bounds a result that is an opaque or a string.
   *
   * @param length the bound of its length
   * @param what the parameter it came from
   * @return this
   */
  public ProxyCall maxResult(long length, String what) {
    return guarded(() -> request.replyBound(
        replyBound(Math.addExact(4, Xdr.pad(checkedBound(length, what))), failures)));
  }

  /**
   * Makes room for a directly placed result.
   *
   * @param length the bound of its length
   * @param what the parameter it came from
   * @return this
   */
  public ProxyCall placedResult(long length, String what) {
    return guarded(() -> request.placedResult(checkedBound(length, what)));
  }

  /**
   * Names the memory for a directly placed result.
   *
   * @param target the caller's memory
   * @param what its name
   * @return this
   */
  public ProxyCall placedInto(Payload target, String what) {
    return guarded(() -> request.placedResult(Values.present(target, what)));
  }

  /**
   * Makes the call.
   *
   * @param result reads the result
   * @param <T> its type
   * @return the result, a {@link ServiceException} of the service, or why the call failed
   */
  public <T> Future<T> call(Function<ValueReader, T> result) {
    if (refused != null) {
      return Future.failedFuture(refused);
    }
    Future<Outcome<T>> outcome;
    try {
      outcome = caller.call(request.results(reader -> decode(reader, result)).build());
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
    return outcome.compose(Outcome::toFuture);
  }

  /**
   * Makes a call that yields nothing.
   *
   * @return completes when the peer has served it, or fails
   */
  public Future<Void> call() {
    return call(in -> null);
  }

  private <T> Outcome<T> decode(XdrReader reader, Function<ValueReader, T> result) {
    Items items = Items.givenAway();
    try {
      ServiceException failure = null;
      T value = null;
      if (failures == Failures.UNION && reader.int32() != ServiceFailure.SUCCESS) {
        failure = ServiceFailure.read(reader);
      } else {
        value = result.apply(new ValueReader(reader, items));
      }
      reader.end();
      return new Outcome<>(value, failure);
    } catch (RuntimeException e) {
      items.release();
      throw Decoding.failure(e);
    }
  }

  private ProxyCall guarded(Runnable step) {
    if (refused == null) {
      try {
        step.run();
      } catch (RuntimeException e) {
        refused = e;
      }
    }
    return this;
  }

  private static int checkedBound(long length, String what) {
    if (length < 0 || length > MAX_RESULT) {
      throw new IllegalArgumentException(what + " bounds a result and cannot be " + length);
    }
    return (int) length;
  }

  /** The two arms of a result union; exactly one is set, or none for a result of void. */
  private record Outcome<T>(T value, ServiceException failure) {

    Future<T> toFuture() {
      return failure == null ? Future.succeededFuture(value) : Future.failedFuture(failure);
    }
  }
}
