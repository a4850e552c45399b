package dev.rpcrdma.api.impl;

import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.protocol.connection.Call;
import dev.rpcrdma.protocol.connection.CallFailure;
import dev.rpcrdma.protocol.connection.CallListener;
import dev.rpcrdma.protocol.connection.ConnectionMachine.CallHandle;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrReader;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A request whose arguments have been encoded, on the caller's thread: from here on the application may
 * do with its values what it likes. Keeps an owner of each data item, and of each target of a placed
 * result, until the one outcome. Belongs to no connection.
 *
 * @param <T> the type of the results
 */
class EncodedCall<T> implements CallListener {

  private final RpcRequest<T> request;
  private final PayloadStream arguments;
  private final Promise<T> promise;
  /** Of the connection that makes the call. */
  private ContextInternal context;
  private Supplier<Throwable> connectFailure;

  EncodedCall(RpcRequest<T> request, PayloadStream arguments, Promise<T> promise) {
    this.request = request;
    this.arguments = arguments;
    this.promise = promise;
    arguments.retainItems();
    for (int i = 0; i < request.placedResults().size(); i++) {
      request.placedResults().get(i).target().ifPresent(DataItem::retain);
    }
  }

  /**
   * Encodes a request and has it made.
   *
   * @param request what to call
   * @param fallback gets the outcome if the caller has no context; the call is made on its event loop
   * @param maker makes the call, or fails it
   * @param <T> the type of the results
   * @return the outcome, on the caller's context; what the encoder throws, or a payload that was
   *     released, fails it at once
   */
  static <T> Future<T> make(RpcRequest<T> request, ContextInternal fallback,
      Consumer<EncodedCall<T>> maker) {
    Promise<T> promise = CallerContext.promise(fallback);
    Optional<Cancellation> cancellation = request.options().cancellation();
    if (cancellation.isPresent() && cancellation.get().isCancelled()) {
      promise.fail(CallOutcome.neverMade(request));
      return promise.future();
    }
    EncodedCall<T> call;
    try {
      PayloadStream arguments = ArgumentWriter.encode(request.arguments());
      checkEligible(request, arguments.items().size());
      call = cancellation.isEmpty() ? new EncodedCall<>(request, arguments, promise)
          : CancellableCall.begin(request, arguments, promise,
              (CancellationImpl) cancellation.get(), fallback.nettyEventLoop());
    } catch (RuntimeException e) {
      promise.fail(e);
      return promise.future();
    }
    maker.accept(call);
    return promise.future();
  }

  /** Items that the binding does not name must not be reduced (RFC 8166 §3.4.2, R-060). */
  private static void checkEligible(RpcRequest<?> request, int items) {
    if (items > request.eligibleArguments()) {
      throw new IllegalArgumentException("The arguments hold " + items + " data items; the binding "
          + "of procedure " + request.procedure() + " has " + request.eligibleArguments()
          + " that are DDP-eligible. Write the others as opaque");
    }
  }

  RpcRequest<T> request() {
    return request;
  }

  int program() {
    return request.program();
  }

  int version() {
    return request.version();
  }

  boolean idempotent() {
    return request.idempotent();
  }

  long timeoutNanos(RpcOptions<?> options) {
    return request.options().timeout().orElse(options.getCallTimeout()).toNanos();
  }

  /** Whether it was given up on its way to the loop; it has failed then, and is not to be made. */
  boolean givenUp() {
    return false;
  }

  /** It has been made; on the loop. */
  void made(CallHandle callHandle, Canceller by) {
    // Nobody will give it up.
  }

  /** It has its outcome, which nobody has heard yet. */
  void ended() {
    // Nobody knows of it.
  }

  /** It will not be made. */
  void fail(Throwable cause) {
    ended();
    release();
    promise.fail(cause);
  }

  /**
   * What a connection's machine needs.
   *
   * @param context of the connection's event loop
   * @param connectFailure why the last attempt to connect has failed
   */
  Call toCall(RpcOptions<?> options, ContextInternal context,
      Supplier<Throwable> connectFailure) {
    this.context = context;
    this.connectFailure = connectFailure;
    return new Call(request.program(), request.version(), request.procedure(),
        request.options().credentials().orElse(OpaqueAuth.NONE), arguments,
        placedResults(), maxResults(options));
  }

  private List<Call.PlacedResult> placedResults() {
    if (request.placedResults().isEmpty()) {
      return List.of();
    }
    return request.placedResults().stream()
        .map(room -> new Call.PlacedResult(room.maxLength(), room.target().map(t -> t))).toList();
  }

  private int maxResults(RpcOptions<?> options) {
    return request.replyBound().predictable() ? request.replyBound().bytes()
        : request.options().maxReply().orElse(options.getMaxReply());
  }

  private void release() {
    arguments.releaseItems();
    for (int i = 0; i < request.placedResults().size(); i++) {
      request.placedResults().get(i).target().ifPresent(DataItem::release);
    }
  }

  @Override
  public void replied(ReplyHeader header, XdrReader results) {
    ended();
    CallOutcome.replied(request, promise, context, header, results);
    release();
  }

  @Override
  public void failed(CallFailure failure) {
    ended();
    release();
    promise.fail(CallOutcome.failure(request, failure, connectFailure.get()));
  }
}
