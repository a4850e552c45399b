// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcEncodingException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.Xdr;
import dev.rpcrdma.protocol.xdr.XdrDecoder;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.service.Failures;
import dev.rpcrdma.verbs.base.Causes;
import io.vertx.core.Future;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.serviceproxy.ServiceException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One call on the requester: arguments out, result or failure in. Whatever is wrong with the
 * arguments fails the future; nothing here throws.
 */
public final class ProxyCall implements XdrEncoder, XdrDecoder<Object> {

  private static final Logger LOG = LoggerFactory.getLogger(ProxyCall.class);

  /** The largest failure arm with its status. */
  private static final int FAILURE_BOUND =
      4 + 4 + 4 + ServiceFailure.MAX_MESSAGE + 4 + ServiceFailure.MAX_DEBUG_INFO;

  /** The largest result, so that its size with status, length word and padding is an int. */
  private static final int MAX_RESULT = Integer.MAX_VALUE - 16;

  private final RpcCaller caller;
  private CallOptions options;
  private final UpperLayerBinding binding;
  private final Failures failures;
  private final int procedure;
  private Consumer<ValueWriter> arguments = out -> {};
  /** Null for a call of a program that has no objects. */
  private RemoteObject object;
  /** What most calls do not have: a bound of their own, or room for a placed result. */
  private Consumer<RpcRequest.Builder<?>> room = request -> {};
  private RuntimeException refused;
  private Function<ValueReader, ?> result;

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
    this.options = options;
    this.binding = binding;
    this.failures = failures;
    this.procedure = procedure;
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
   * Says what is called, where a program has objects.
   *
   * @param value the service, or one of its objects
   * @return this
   */
  public ProxyCall on(RemoteObject value) {
    object = value;
    if (value.isClosed()) {
      refused = RemoteObject.closed();
    }
    return this;
  }

  /**
   * Routes the call by one of its arguments, unless its options have a key already.
   *
   * @param key the argument; null for none
   * @return this
   */
  public ProxyCall routedBy(Object key) {
    if (key != null && options.routingKey().isEmpty()) {
      options = options.withRoutingKey(key instanceof Enum<?> constant ? constant.name() : key.toString());
    }
    return this;
  }

  /**
   * Closes what is called, so that this is its last call.
   *
   * @return this
   */
  public ProxyCall closing() {
    if (!object.close()) {
      refused = RemoteObject.closed();
    }
    return this;
  }

  /**
   * Sets the arguments.
   *
   * @param encoder writes them, once, before {@link #call} returns
   * @return this
   */
  public ProxyCall arguments(Consumer<ValueWriter> encoder) {
    arguments = encoder;
    return this;
  }

  /** Called by the transport, once. */
  @Override
  public void encode(XdrWriter writer) {
    ValueWriter out = new ValueWriter(writer);
    if (object != null) {
      object.write(out);
    }
    arguments.accept(out);
  }

  /**
   * Bounds a result that is an opaque or a string.
   *
   * @param length the bound of its length
   * @param what the parameter it came from
   * @return this
   */
  public ProxyCall maxResult(long length, String what) {
    return making(() -> {
      ReplyBound bound =
          replyBound(Math.addExact(4, Xdr.pad(checkedBound(length, what))), failures);
      return request -> request.replyBound(bound);
    });
  }

  /**
   * Makes room for a directly placed result.
   *
   * @param length the bound of its length
   * @param what the parameter it came from
   * @return this
   */
  public ProxyCall placedResult(long length, String what) {
    return making(() -> {
      int bound = checkedBound(length, what);
      return request -> request.placedResult(bound);
    });
  }

  /**
   * Names the memory for a directly placed result.
   *
   * @param target the caller's memory
   * @param what its name
   * @return this
   */
  public ProxyCall placedInto(Payload target, String what) {
    return making(() -> {
      Payload present = Values.present(target, what);
      return request -> request.placedResult(present);
    });
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
    this.result = result;
    try {
      @SuppressWarnings("unchecked") // it yields what the function yields
      XdrDecoder<T> decoder = (XdrDecoder<T>) (XdrDecoder<?>) this;
      RpcRequest.Builder<T> request = RpcRequest.to(binding, procedure).options(options)
          .arguments(this).results(decoder);
      room.accept(request);
      return caller.call(request.build());
    } catch (Throwable e) {
      return Future.failedFuture(e);
    }
  }

  /**
   * Makes a call that yields nothing.
   *
   * @return completes when the peer has served it, or fails
   */
  public Future<Void> call() {
    return call(in -> null);
  }

  /**
   * Makes a call whose outcome nobody waits for; that it has failed is logged.
   *
   * @throws IllegalStateException if the proxy is closed
   */
  public void send() {
    if (refused != null) {
      throw refused;
    }
    call().onFailure(cause -> LOG.warn("A call of " + binding.describe() + " that returns nothing, procedure "
        + name() + ", has failed", cause));
  }

  private String name() {
    return binding.procedure(procedure).map(ProcedureBinding::name).orElse("?");
  }

  /** Called by the transport, once; throws the {@link ServiceException} that the service failed with. */
  @Override
  public Object decode(XdrReader reader) {
    ValueReader in = ValueReader.ofResults(reader);
    ServiceException failure = null;
    Object value = null;
    try {
      if (failures != Failures.NONE && reader.int32() != ServiceFailure.SUCCESS) {
        failure = ServiceFailure.read(reader);
      } else {
        value = result.apply(in);
      }
      reader.end();
    } catch (Throwable e) {
      in.releaseItems();
      throw Decoding.failure(e);
    }
    if (failure != null) {
      throw failure;
    }
    return value;
  }

  private ProxyCall making(Supplier<Consumer<RpcRequest.Builder<?>>> step) {
    if (refused == null) {
      try {
        room = room.andThen(step.get());
      } catch (RuntimeException e) {
        // As for arguments that their encoder refuses.
        String call = binding.name() + "." + name();
        refused = new RpcEncodingException("The arguments of " + call + " cannot be sent: " + Causes.message(e), e);
      }
    }
    return this;
  }

  private static int checkedBound(long length, String what) {
    if (length < 0 || length > MAX_RESULT) {
      throw new IllegalArgumentException(what + " bounds the result and is " + length + ", not 0 to " + MAX_RESULT);
    }
    return (int) length;
  }
}
