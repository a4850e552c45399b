// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus.impl;

import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcConnectionLostException;
import dev.rpcrdma.api.RpcEncodingException;
import dev.rpcrdma.api.RpcResourceException;
import dev.rpcrdma.api.RpcTransportException;
import dev.rpcrdma.api.spi.CallTransport;
import dev.rpcrdma.api.spi.OutgoingCall;
import dev.rpcrdma.api.spi.TransportCaller;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.verbs.base.Causes;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.tracing.TracingPolicy;
import java.nio.ByteBuffer;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Carries calls to an address as messages, and their replies back. On one event loop, but for tokens and callbacks. */
final class BusTransport implements CallTransport {

  /** The event bus waits for a reply somewhat longer than the call, whose own deadline is to end it. */
  private static final long SPARE_MILLIS = 1000;

  private final Vertx vertx;
  private final String address;
  private final String id;
  private final boolean localOnly;
  /** Set before the first call. */
  private Context context;
  /** Null if there is none. */
  private volatile String token;
  /** Null until something is served. */
  private volatile Callbacks callbacks;

  /** Address where the caller serves. */
  private static final class Callbacks {

    private final String address;
    private final Supplier<Future<Void>> serve;
    /** Completes when callbacks can be called. */
    private volatile Future<Void> served;

    Callbacks(String address, Supplier<Future<Void>> serve) {
      this.address = address;
      this.serve = serve;
      this.served = serve.get();
    }

    /** Serves again if that has failed, such as by a registration in the cluster; on the event loop. */
    Future<Void> served() {
      if (served.failed()) {
        served = serve.get();
      }
      return served;
    }
  }

  /**
   * To an address.
   *
   * @param id names who calls
   */
  BusTransport(Vertx vertx, String address, String id, boolean localOnly) {
    this.vertx = vertx;
    this.address = address;
    this.id = id;
    this.localOnly = localOnly;
  }

  /** Whose calls it carries. */
  void on(TransportCaller caller) {
    context = caller.context();
  }

  void token(String value) {
    token = value;
  }

  /**
   * From now on calls say where their caller serves, and wait until that is so.
   *
   * @param serve begins to serve there; called again with the next call after a failure
   */
  void callbacks(String where, Supplier<Future<Void>> serve) {
    callbacks = new Callbacks(where, serve);
  }

  @Override
  public void carry(OutgoingCall call) {
    Callbacks own = callbacks;
    Future<Void> served = own == null ? Future.succeededFuture() : own.served();
    if (served.succeeded()) {
      write(call);
    } else {
      served.onComplete(done -> context.runOnContext(later -> write(call)), e -> context.runOnContext(later ->
          call.failed(new RpcConnectException("Callbacks of " + call.request().describe() + " cannot be served", e))));
    }
  }

  private void write(OutgoingCall call) {
    DeliveryOptions options = options();
    Future<Buffer> body;
    try {
      CallHeaders.write(call, id, token, options);
      Bodies.sayLarge(call.arguments(), options);
      body = Bodies.write(call.arguments(), context);
    } catch (Throwable e) {
      body = Future.failedFuture(e);
    }
    if (body.succeeded()) {
      send(call, body.result(), options);
    } else {
      body.onComplete(written -> send(call, written, options), e -> call.failed(new RpcEncodingException(
          "The arguments of " + call.request().describe() + " cannot be sent: " + Causes.message(e), e)));
    }
  }

  private DeliveryOptions options() {
    // The call has a span, of which a message would only be another.
    return new DeliveryOptions().setHeaders(MultiMap.caseInsensitiveMultiMap()).setLocalOnly(localOnly)
        .setTracingPolicy(TracingPolicy.IGNORE);
  }

  private void send(OutgoingCall call, Buffer body, DeliveryOptions options) {
    if (!call.sending()) {
      return;
    }
    Callbacks own = callbacks;
    if (own != null) {
      options.addHeader(Names.CALLBACKS, own.address);
    }
    options.setSendTimeout(Math.max(0, TimeUnit.NANOSECONDS.toMillis(call.nanosLeft())) + SPARE_MILLIS);
    vertx.eventBus().<Object>request(address, body, options).onComplete(reply -> replied(call, reply),
        e -> failed(call, e));
  }

  private static void replied(OutgoingCall call, Message<Object> reply) {
    ReplyHeader header;
    try {
      OptionalInt maxCalls = ReplyHeaders.maxCalls(reply.headers());
      if (maxCalls.isPresent()) {
        call.failed(new RpcResourceException(call.request().describe() + " is not executed: its service executes "
            + maxCalls.getAsInt() + " calls, and takes no more at once (maxCalls)", null));
        return;
      }
      header = ReplyHeaders.of(reply.headers(), call.xid());
    } catch (IllegalArgumentException e) {
      call.failed(new RpcTransportException("The reply to " + call.request().describe()
          + " is none of vertx-rpcrdma; who else is registered at the address? " + Causes.message(e), true));
      return;
    }
    if (header instanceof ReplyHeader.Accepted accepted && accepted.status() == AcceptStatus.SUCCESS) {
      call.replied(() -> new XdrReader(ByteBuffer.wrap(Bodies.of(reply))), Bodies.isLarge(reply.headers()));
    } else {
      call.rejected(header);
    }
  }

  private void failed(OutgoingCall call, Throwable cause) {
    String what = call.request().describe() + " at " + address + ": ";
    if (!(cause instanceof ReplyException failure)) {
      call.failed(new RpcTransportException(what + cause, true));
      return;
    }
    switch (failure.failureType()) {
      case TIMEOUT -> {
        if (call.nanosLeft() > 0) {
          // The event bus waits longer than the call: a consumer that was just closed has discarded the message.
          call.failed(
              new RpcConnectException(what + "The registration was closed before it looked at the call", cause));
        } else {
          call.timedOut();
        }
      }
      case NO_HANDLERS -> call.failed(new RpcConnectException(what + "Nobody is registered there", cause));
      case ERROR -> call.failed(new RpcConnectionLostException(what + Causes.message(cause), true, false));
      default -> call.failed(new RpcTransportException(what + Causes.message(cause), true));
    }
  }

  @Override
  public void givenUp(OutgoingCall call) {
    DeliveryOptions options = options();
    CallHeaders.writeId(call, id, options);
    // To all that serve there: nobody knows which of them has the call.
    vertx.eventBus().publish(Names.cancelAddress(address), null, options);
  }
}
