// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.service.impl.PeerShares;
import dev.rpcrdma.verbs.support.LogRateLimit;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.MessageConsumerOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Forwards messages of this end's event bus to one peer, and replies with their outcomes. */
final class Forwarder {

  private static final Logger LOG = LoggerFactory.getLogger(Forwarder.class);
  /** How many bridges a message has crossed. */
  private static final String HOPS = "rpcrdma-hops";

  private final Vertx vertx;
  private final BridgeOptions options;
  private final BridgedBodies bodies;
  private final RpcCaller caller;
  private final CallOptions callOptions;
  private final ObjectConsumers objects;
  private final LogRateLimit warnings = new LogRateLimit(System.nanoTime());
  private final Traffic traffic;
  /** Consumers of the addresses that are forwarded. Guarded by this, as is the next field. */
  private final List<MessageConsumer<Object>> consumers = new ArrayList<>();
  private boolean closed;

  Forwarder(Vertx vertx, BridgeOptions options, BridgedBodies bodies, RpcCaller caller, Traffic traffic,
      PeerShares shares) {
    this.vertx = vertx;
    this.options = options;
    this.bodies = bodies;
    this.caller = caller;
    this.traffic = traffic;
    this.callOptions = CallOptions.DEFAULT.withTimeout(options.getTimeout());
    this.objects = new ObjectConsumers(vertx, options.getProxyTimeout(), shares,
        (address, remote) -> consumer(address, message -> calledObject(message, remote)));
  }

  /** Registers at all addresses that are forwarded, unless closed; completes when the cluster knows. */
  synchronized Future<Void> open() {
    if (closed) {
      return Future.failedFuture(new IllegalStateException("The bridge is closed"));
    }
    options.getForwarded().forEach(permit -> consumers.add(
        consumer(permit.address(), message -> received(message, permit, permit.address()))));
    return Future.all(consumers.stream().map(MessageConsumer::completion).toList()).mapEmpty();
  }

  synchronized Future<Void> close() {
    closed = true;
    List<Future<Void>> ending = new ArrayList<>();
    consumers.forEach(each -> ending.add(each.unregister()));
    consumers.clear();
    ending.add(objects.close());
    return Future.join(ending).mapEmpty();
  }

  private MessageConsumer<Object> consumer(String address, Handler<Message<Object>> handler) {
    return vertx.eventBus().consumer(new MessageConsumerOptions().setAddress(address)
        .setLocalOnly(options.isLocalOnly()), handler);
  }

  /** Forwards a call of an object. The peer knows which objects it has given to callers. */
  private void calledObject(Message<Object> message, String remote) {
    objects.used(message.address());
    received(message, BridgePermit.address(message.address()), remote);
  }

  private void received(Message<Object> message, BridgePermit permit, String remote) {
    MultiMap headers = Content.crossing(message.headers());
    String action = headers.get(BridgePermit.ACTION);
    if (!permit.permits(action)) {
      traffic.refused();
      fail(message, BusFailures.forbidden(permit.address(), action));
      return;
    }
    traffic.began();
    int hops = hops(headers);
    if (hops >= options.getMaxHops()) {
      settle(message, new BridgeOutcome.Failed(BusFailures.error(
          "A message has crossed as many bridges as it may, " + hops + ": see BridgeOptions.setMaxHops")));
    } else {
      headers.set(HOPS, Integer.toString(hops + 1));
      call(procedure(message), headers, message, out -> out.string(remote))
          .onComplete(outcome -> settle(message, outcome.succeeded() ? outcome.result()
              : new BridgeOutcome.Failed(BusFailures.of(outcome.cause()))));
    }
  }

  private static int hops(MultiMap headers) {
    try {
      return headers.contains(HOPS) ? Integer.parseInt(headers.get(HOPS)) & Integer.MAX_VALUE : 0;
    } catch (NumberFormatException e) {
      // Whoever says so is no bridge.
      return Integer.MAX_VALUE;
    }
  }

  private static int procedure(Message<Object> message) {
    if (!message.isSend()) {
      return BridgeProgram.PUBLISH;
    }
    return message.replyAddress() == null ? BridgeProgram.SEND : BridgeProgram.REQUEST;
  }

  /** Writes what precedes the content. */
  @FunctionalInterface
  private interface Head {

    void write(XdrWriter out);
  }

  private Future<BridgeOutcome> call(int procedure, MultiMap headers, Message<Object> message, Head head) {
    return bodies.encode(vertx.getOrCreateContext(), message).compose(encoded -> {
      Content content = new Content(headers, encoded.codec(), encoded.bytes());
      Content.Parted parted = content.part(callOptions);
      content.check(parted.beside());
      XdrEncoder arguments = out -> {
        head.write(out);
        content.write(out, parted.beside());
      };
      return caller.call(RpcRequest.to(BridgeProgram.BINDING, procedure).arguments(arguments)
          .results(BridgeOutcome::read).options(parted.options()).build());
    });
  }

  /** Tells the sender of a message that began, if it waits. */
  private void settle(Message<Object> message, BridgeOutcome outcome) {
    if (outcome instanceof BridgeOutcome.Failed failed) {
      traffic.ended(false);
      forgetUnreachable(message, failed.cause());
      fail(message, failed.cause());
      return;
    }
    if (ObjectAddress.isClosed(message.headers())) {
      objects.forget(message.address());
    }
    if (message.replyAddress() != null) {
      reply(message, (BridgeOutcome.Replied) outcome);
    } else {
      traffic.ended(true);
    }
  }

  private void fail(Message<Object> message, ReplyException cause) {
    if (message.replyAddress() != null) {
      message.reply(cause);
    } else if (warnings.due(System.nanoTime())) {
      LOG.warn("A message to " + message.address() + " could not be forwarded", cause);
    }
  }

  private void forgetUnreachable(Message<Object> message, ReplyException cause) {
    if (BusFailures.hasNoConsumer(cause)) {
      objects.forget(message.address());
    }
  }

  private void reply(Message<Object> message, BridgeOutcome.Replied replied) {
    bodies.decode(vertx.getOrCreateContext(), replied.content())
        // The caller may call the object as soon as it has the reply.
        .compose(body -> renameObject(replied.content().headers()).map(body))
        .map(body -> reply(message, replied, body))
        .onComplete(sent -> traffic.ended(sent.succeeded()))
        .onFailure(cause -> {
          // The sender of the reply must not wait for an answer.
          replied.conversation().ifPresent(conversation -> refused(cause, conversation));
          message.reply(BusFailures.of(cause));
        });
  }

  /** Replaces the address of an object at the peer, if a reply has one, by an address that this end chooses. */
  private Future<Void> renameObject(MultiMap headers) {
    String remote = headers.get(ObjectAddress.HEADER);
    if (remote == null) {
      return Future.succeededFuture();
    }
    if (!ObjectAddress.isValid(remote)) {
      return Future.failedFuture(BusFailures.noObject(remote));
    }
    return objects.add(remote).map(local -> {
      headers.set(ObjectAddress.HEADER, local);
      return null;
    });
  }

  /** Replies; throws if the event bus cannot send the body. */
  private Void reply(Message<Object> message, BridgeOutcome.Replied replied, BridgedBodies.Decoded body) {
    DeliveryOptions delivery = new DeliveryOptions().setSendTimeout(options.getTimeout().toMillis());
    replied.content().headers().forEach(delivery::addHeader);
    if (body.codecName() != null) {
      delivery.setCodecName(body.codecName());
    }
    boolean sent = false;
    try {
      if (replied.conversation().isEmpty()) {
        message.reply(body.body(), delivery);
      } else {
        UUID conversation = replied.conversation().get();
        message.<Object>replyAndRequest(body.body(), delivery).onSuccess(answer -> answered(answer, conversation))
            .onFailure(cause -> refused(cause, conversation));
      }
      sent = true;
    } catch (IllegalArgumentException e) {
      throw BusFailures.noCodec(body.codecName(), e);
    } finally {
      if (!sent) {
        // The caller will not call the object that it does not hear of.
        objects.forget(replied.content().headers().get(ObjectAddress.HEADER));
      }
    }
    return null;
  }

  /** Forwards a failure as the answer to a reply. The sender of the reply has a timeout of its own. */
  private void refused(Throwable cause, UUID conversation) {
    ReplyException failure = BusFailures.of(cause);
    if (failure.failureType() == ReplyFailure.TIMEOUT) {
      return;
    }
    traffic.count(caller.call(RpcRequest.to(BridgeProgram.BINDING, BridgeProgram.REFUSE).arguments(out -> {
      BridgeOutcome.write(out, conversation);
      BridgeOutcome.write(out, new BridgeOutcome.Failed(failure));
    }).results(BridgeOutcome::read).options(callOptions).build()).compose(BridgeOutcome::asFuture));
  }

  private void answered(Message<Object> answer, UUID conversation) {
    boolean waits = answer.replyAddress() != null;
    traffic.began();
    call(BridgeProgram.ANSWER, Content.crossing(answer.headers()), answer, out -> {
      BridgeOutcome.write(out, conversation);
      out.bool(waits);
    }).onComplete(outcome -> settle(answer, outcome.succeeded() ? outcome.result()
        : new BridgeOutcome.Failed(BusFailures.of(outcome.cause())))).onFailure(cause -> {
          if (cause instanceof RpcRejectedException
              || !(cause instanceof RpcException failure && failure.maybeExecuted())) {
            // The answer has not crossed. The sender of the reply must not wait for it.
            refused(cause, conversation);
          }
        });
  }
}
