// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus.impl;

import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcStatusException;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.api.spi.IncomingCall;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.wire.Metadata;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.verbs.base.Causes;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.tracing.TracingPolicy;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A call that came as a message, until it is replied to. */
final class IncomingMessage implements IncomingCall {

  private static final Logger LOG = LoggerFactory.getLogger(IncomingMessage.class);

  private final BusEndpoint endpoint;
  private final Message<Object> message;
  /** Key of the call among those of its endpoint. */
  private final Object name;
  private final CallHeaders headers;
  private final Context loop;
  /** Null unless they are large. */
  private volatile LargeArguments large;

  IncomingMessage(BusEndpoint endpoint, Message<Object> message, Object name, CallHeaders headers, Context loop) {
    this.endpoint = endpoint;
    this.message = message;
    this.name = name;
    this.headers = headers;
    this.loop = loop;
  }

  @Override
  public CallHeader header() {
    return headers.header();
  }

  @Override
  public Metadata metadata() {
    return headers.trace();
  }

  @Override
  public Map<String, String> headers() {
    return headers.application();
  }

  @Override
  public long nanosLeft() {
    return headers.nanosLeft();
  }

  @Override
  public String caller() {
    return headers.caller();
  }

  @Override
  public RpcCaller peer() {
    return endpoint.peer(headers.callbacks());
  }

  @Override
  public Future<Optional<RpcUser>> user() {
    String token = headers.application().get(Names.AUTH_TOKEN);
    if (token == null || endpoint.settings().tokens() == null) {
      return Future.succeededFuture(Optional.empty());
    }
    Future<RpcUser> verdict;
    try {
      verdict = Objects.requireNonNull(endpoint.settings().tokens().verify(token, null),
          "The verifier returned no Future");
    } catch (Throwable e) {
      verdict = Future.failedFuture(e);
    }
    return verdict.map(Optional::of).recover(e -> {
      LOG.info("A token of " + caller() + " is refused: " + Causes.message(e));
      return Future.failedFuture(new RpcStatusException(AuthStatus.BADCRED, "The token is refused"));
    });
  }

  @Override
  public Future<XdrReader> arguments() {
    if (Bodies.isLarge(message.headers())) {
      return loop.executeBlocking(() -> largeReader(Bodies.of(message)), false);
    }
    try {
      byte[] bytes = Bodies.of(message);
      return bytes.length > Bodies.LARGE ? loop.executeBlocking(() -> largeReader(bytes), false)
          : Future.succeededFuture(new XdrReader(ByteBuffer.wrap(bytes)));
    } catch (XdrException e) {
      return Future.failedFuture(e);
    }
  }

  private XdrReader largeReader(byte[] bytes) {
    large = new LargeArguments(endpoint.vertx(), bytes);
    return large.reader();
  }

  @Override
  public void done() {
    if (large != null) {
      large.release();
    }
  }

  // Answers

  @Override
  public Future<Void> reply(PayloadStream results) {
    return Bodies.write(results, loop).map(body -> {
      DeliveryOptions options = new DeliveryOptions();
      ReplyHeaders.writeStatus(AcceptStatus.SUCCESS, options);
      Bodies.sayLarge(results, options);
      reply(body, options);
      return null;
    });
  }

  @Override
  public void reject(ReplyHeader header) {
    DeliveryOptions options = new DeliveryOptions();
    ReplyHeaders.write(header, options);
    reply(Buffer.buffer(), options);
  }

  @Override
  public void tooMany(int maxCalls) {
    reply(Buffer.buffer(), new DeliveryOptions().addHeader(Names.MAX_CALLS, Integer.toString(maxCalls)));
  }

  private void reply(Buffer body, DeliveryOptions options) {
    endpoint.answered(name);
    message.reply(body, options.setTracingPolicy(TracingPolicy.IGNORE));
  }
}
