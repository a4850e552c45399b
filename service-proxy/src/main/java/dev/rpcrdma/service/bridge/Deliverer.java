// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.impl.call.CallInService;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.service.impl.PeerShares;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/** Gives what peers forward to this end's event bus, and their outcomes back. */
final class Deliverer implements RpcService {

  private final Vertx vertx;
  private final BridgeOptions options;
  private final BridgedBodies bodies;
  private final BridgeTables tables;
  private final Permits permits;
  private final Conversations conversations;
  private final Traffic traffic = new Traffic();

  Deliverer(Vertx vertx, BridgeOptions options, BridgedBodies bodies, BridgeTables tables) {
    this.vertx = vertx;
    this.options = options;
    this.bodies = bodies;
    this.tables = tables;
    this.permits = tables.permits();
    this.conversations = tables.conversations();
  }

  /** What has come from peers. */
  BridgeTraffic traffic() {
    return traffic.snapshot();
  }

  /** How many replies have senders that wait for an answer. */
  int conversations() {
    return conversations.count(System.nanoTime());
  }

  @Override
  public UpperLayerBinding binding() {
    return BridgeProgram.BINDING;
  }

  @Override
  public Future<XdrEncoder> handle(RpcCall call) {
    Future<BridgeOutcome> outcome;
    try {
      outcome = switch (call.procedure()) {
        case BridgeProgram.ANSWER -> answer(call);
        case BridgeProgram.REFUSE -> refuse(call);
        default -> message(call);
      };
    } catch (Content.HeadersMissingException e) {
      outcome = traffic.count(Future.failedFuture(BusFailures.error(Causes.message(e))));
    }
    return outcome.recover(Deliverer::failed).map(known -> out -> BridgeOutcome.write(out, known));
  }

  /** Returns a failure as an outcome, unless the call is dropped. */
  private static Future<BridgeOutcome> failed(Throwable cause) {
    return cause == CallInService.NEVER_BEGUN ? Future.failedFuture(cause) : Future.succeededFuture(
        new BridgeOutcome.Failed(cause instanceof ReplyException known ? known
            : BusFailures.error(Causes.message(cause))));
  }

  private Future<BridgeOutcome> message(RpcCall call) {
    XdrReader in = call.arguments();
    String address = in.string(BridgePermit.LONGEST_ADDRESS);
    Content content = Content.read(in, call.headers());
    in.end();
    if (!permits.permits(address, content.headers().get(BridgePermit.ACTION), System.nanoTime())) {
      traffic.refused();
      return Future.failedFuture(BusFailures.forbidden(address,
          content.headers().get(BridgePermit.ACTION)));
    }
    EventBus bus = vertx.eventBus();
    int procedure = call.procedure();
    return traffic.count(decode(call, content).compose(body -> send(body, () -> {
      DeliveryOptions delivery = delivery(call, content, body);
      switch (procedure) {
        case BridgeProgram.SEND:
          bus.send(address, body.body(), delivery);
          return Future.succeededFuture(BridgeOutcome.NOTHING);
        case BridgeProgram.PUBLISH:
          bus.publish(address, body.body(), delivery);
          return Future.succeededFuture(BridgeOutcome.NOTHING);
        default:
          return request(address, body.body(), delivery).compose(reply -> replied(call, reply), cause -> {
            forgetUnreachable(address, cause);
            return Future.failedFuture(cause);
          });
      }
    })).onSuccess(outcome -> {
      if (ObjectAddress.isClosed(content.headers())) {
        permits.forget(address);
      }
    }));
  }

  /** On a context of no verticle: with its end the event bus would forget who waits for the reply. */
  private Future<Message<Object>> request(String address, Object body, DeliveryOptions delivery) {
    Context context = context();
    Promise<Message<Object>> reply = Contexts.promise(context);
    Contexts.dispatch(Contexts.newOn(vertx, Contexts.eventLoop(context)), delivery,
        options -> {
          try {
            vertx.eventBus().<Object>request(address, body, options).onComplete(reply);
          } catch (Throwable e) {
            reply.tryFail(e instanceof IllegalArgumentException none
                ? BusFailures.noCodec(delivery.getCodecName(), none) : e);
          }
        });
    return reply.future();
  }

  /** Decodes a body; fails if the caller has gone meanwhile. */
  private Future<BridgedBodies.Decoded> decode(RpcCall call, Content content) {
    return bodies.decode(context(), content)
        .compose(body -> CallInService.begin(call, () -> Future.succeededFuture(body)));
  }

  /** Sends a body; throws if the event bus has no codec for the body. */
  private static Future<BridgeOutcome> send(BridgedBodies.Decoded body, Supplier<Future<BridgeOutcome>> sending) {
    try {
      return sending.get();
    } catch (IllegalArgumentException e) {
      throw BusFailures.noCodec(body.codecName(), e);
    }
  }

  /** An object that its service has closed takes its address with it. */
  private void forgetUnreachable(String address, Throwable cause) {
    if (BusFailures.hasNoConsumer(cause)) {
      permits.forget(address);
    }
  }

  private Future<BridgeOutcome> answer(RpcCall call) {
    XdrReader in = call.arguments();
    UUID conversation = BridgeOutcome.readId(in);
    boolean waits = in.bool();
    Content content = Content.read(in, call.headers());
    in.end();
    Optional<Message<Object>> reply = conversations.take(conversation, System.nanoTime());
    if (reply.isEmpty()) {
      return traffic.count(notAwaited());
    }
    return traffic.count(decode(call, content).map(body -> send(body, () -> {
      DeliveryOptions delivery = delivery(call, content, body);
      if (waits) {
        return reply.get().<Object>replyAndRequest(body.body(), delivery)
            .compose(next -> replied(call, next));
      }
      reply.get().reply(body.body(), delivery);
      return Future.succeededFuture(BridgeOutcome.NOTHING);
      // The sender of the reply must not wait for an answer that cannot be sent.
    })).onFailure(cause -> reply.get().reply(BusFailures.of(cause))).compose(sent -> sent));
  }

  /** Answers a reply by a failure. */
  private Future<BridgeOutcome> refuse(RpcCall call) {
    XdrReader in = call.arguments();
    UUID conversation = BridgeOutcome.readId(in);
    if (!(BridgeOutcome.read(in) instanceof BridgeOutcome.Failed failed)) {
      throw new XdrException("A refusal without a failure");
    }
    in.end();
    return traffic.count(conversations.take(conversation, System.nanoTime()).map(reply -> {
      reply.reply(failed.cause());
      return Future.succeededFuture(BridgeOutcome.NOTHING);
    }).orElseGet(Deliverer::notAwaited));
  }

  private static Future<BridgeOutcome> notAwaited() {
    return Future.failedFuture(new ReplyException(ReplyFailure.NO_HANDLERS, -1,
        "The sender of the reply does not wait for this answer any more"));
  }

  /** Returns the outcome of a reply. If it cannot cross, its sender must not wait for an answer. */
  private Future<BridgeOutcome> replied(RpcCall call, Message<Object> reply) {
    return outcome(call, reply).onFailure(cause -> {
      if (reply.replyAddress() != null) {
        reply.reply(BusFailures.of(cause));
      }
    });
  }

  private Future<BridgeOutcome> outcome(RpcCall call, Message<Object> reply) {
    String object = reply.headers().get(ObjectAddress.HEADER);
    if (object != null && !ObjectAddress.isValid(object)) {
      return Future.failedFuture(BusFailures.noObject(object));
    }
    return bodies.encode(context(), reply).map(body -> {
      Content content = new Content(Content.crossing(reply.headers()), body.codec(), body.bytes());
      content.check(Set.of());
      return new BridgeOutcome.Replied(content, keep(reply, object, PeerShares.host(call)));
    });
  }

  /** Keeps a reply that waits for an answer, and the object that the reply names; throws and keeps neither if full. */
  private Optional<UUID> keep(Message<Object> reply, String object, String peer) {
    long now = System.nanoTime();
    Optional<UUID> conversation = reply.replyAddress() == null ? Optional.empty()
        : Optional.of(conversations.add(reply, peer, now, options.getTimeout().toNanos()));
    if (object != null) {
      try {
        permits.add(object, peer, now);
      } catch (ReplyException e) {
        conversation.ifPresent(id -> conversations.take(id, now));
        throw e;
      }
    }
    if (object != null || conversation.isPresent()) {
      tables.watch();
    }
    return conversation;
  }

  private DeliveryOptions delivery(RpcCall call, Content content, BridgedBodies.Decoded body) {
    DeliveryOptions delivery = new DeliveryOptions().setLocalOnly(options.isLocalOnly())
        .setSendTimeout(Math.max(1, Math.min(call.millisLeft(), options.getTimeout().toMillis())));
    // Otherwise a consumer that returns its headers would name an object that the peer has chosen.
    content.headers().remove(ObjectAddress.HEADER).forEach(delivery::addHeader);
    return body.codecName() == null ? delivery : delivery.setCodecName(body.codecName());
  }

  private Context context() {
    return vertx.getOrCreateContext();
  }
}
