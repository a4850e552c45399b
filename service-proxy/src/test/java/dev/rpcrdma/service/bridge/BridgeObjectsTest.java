// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Addresses of objects: which names a peer may give, and what a reply may cause. */
class BridgeObjectsTest {

  private static final String ADDRESS = "there";
  /** Address of an event bus that no permit names. */
  private static final String PRIVATE = "private";

  private static void assertForbidden(Throwable cause, String part) {
    assertFailure(cause, ReplyFailure.RECIPIENT_FAILURE, 403, part);
  }

  private static void assertFailure(Throwable cause, ReplyFailure type, int code, String part) {
    assertThat(cause).isInstanceOfSatisfying(ReplyException.class, e -> {
      assertThat(e.failureType()).isEqualTo(type);
      assertThat(e.failureCode()).isEqualTo(code);
      assertThat(e.getMessage()).contains(part);
    });
  }

  /** A forwarding end whose peer names objects as it likes. */
  @Nested
  class APeerThatNamesObjects {

    private final Vertx vertx = Vertx.vertx();
    /** Addresses that the peer was called at. */
    private final BlockingQueue<String> called = new LinkedBlockingQueue<>();
    private final RpcServer server = RpcServer.create(vertx);
    private final RpcClient client = RpcClient.create(vertx);
    private final EventBusBridge bridge =
        EventBusBridge.create(vertx, new BridgeOptions().forward(BridgePermit.address(ADDRESS)));

    private void open(String... names) {
      server.bind(new RpcService() {
        @Override
        public UpperLayerBinding binding() {
          return BridgeProgram.BINDING;
        }

        @Override
        public Future<XdrEncoder> handle(RpcCall call) {
          called.add(call.arguments().string(1024));
          MultiMap headers = MultiMap.caseInsensitiveMultiMap();
          for (String name : names) {
            headers.add("proxyaddr", name);
          }
          BridgeOutcome outcome = new BridgeOutcome.Replied(new Content(headers, "string", Buffer.buffer("peer")),
              Optional.empty());
          return Future.succeededFuture(out -> BridgeOutcome.write(out, outcome));
        }
      });
      Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
      Waiting.await(bridge.forward(client.channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"))));
    }

    @AfterEach
    void close() {
      Waiting.await(bridge.close());
      Waiting.await(client.close());
      Waiting.await(server.close());
      Waiting.await(vertx.close());
    }

    /**
     * Fails if {@code ObjectConsumers.add} registers at the peer's name of an object, or if {@code
     * Forwarder.renameObject} leaves that name in the reply.
     */
    @Test
    @DisplayName("A peer's name of an object is no address of this event bus: the consumer there keeps its messages")
    void names() {
      String name = UUID.randomUUID().toString();
      open(name, name);
      vertx.eventBus().consumer(name, message -> message.reply("consumer"));
      MultiMap reply = Waiting.await(vertx.eventBus().request(ADDRESS, "x")).headers();
      assertThat(reply.getAll("proxyaddr")).hasSize(1).doesNotContain(name);
      for (int i = 0; i < 4; i++) {
        assertThat(Waiting.await(vertx.eventBus().request(name, "x")).body()).isEqualTo("consumer");
      }
      assertThat(called).containsExactly(ADDRESS);
      assertThat(Waiting.await(vertx.eventBus().request(reply.get("proxyaddr"), "x")).body()).isEqualTo("peer");
      assertThat(called).containsExactly(ADDRESS, name);
    }

    /** Fails if {@code Forwarder.renameObject} does not ask {@code ObjectAddress.isValid}. */
    @Test
    @DisplayName("A reply that names an object at an address of another form fails")
    void otherForms() {
      open(PRIVATE);
      assertForbidden(Waiting.awaitFailure(vertx.eventBus().request(ADDRESS, "x")),
          "names an object at private, which may not cross the bridge");
      assertThat(bridge.snapshot().forwarded()).isEqualTo(new BridgeTraffic(0, 0, 1, 0));
      assertFailure(Waiting.awaitFailure(vertx.eventBus().request(PRIVATE, "x")), ReplyFailure.NO_HANDLERS, -1,
          PRIVATE);
    }
  }

  /** A delivering end, whose caller wants to reach an address that is not delivered. */
  @Nested
  class APeerThatCalls {

    /** An address of the services' event bus that has the form of an object's, and that no caller was given. */
    private final String other = UUID.randomUUID().toString();
    private final BridgeBed bed = new BridgeBed(
        new BridgeOptions().forward(BridgePermit.address(ADDRESS)).forward(BridgePermit.address(PRIVATE))
            .forward(BridgePermit.address(other)),
        new BridgeOptions().deliver(BridgePermit.address(ADDRESS)));

    private void open(Handler<Message<Object>> service) {
      bed.there.eventBus().consumer(ADDRESS, service);
      for (String address : List.of(PRIVATE, other)) {
        bed.there.eventBus().consumer(address, message -> message.reply("never"));
      }
    }

    private void assertNotPermitted() {
      for (String address : List.of(PRIVATE, other)) {
        assertForbidden(Waiting.awaitFailure(bed.here.eventBus().request(address, "x")),
            address + " may not cross the bridge");
      }
    }

    @AfterEach
    void close() {
      bed.close();
    }

    private static DeliveryOptions headersOf(Message<Object> message) {
      DeliveryOptions options = new DeliveryOptions();
      message.headers().forEach(options::addHeader);
      return options;
    }

    private static DeliveryOptions naming(String address) {
      return new DeliveryOptions().addHeader("ProxyAddr", address).addHeader("kept", "k");
    }

    /** Fails if {@code Deliverer.delivery} does not remove the header that names an object. */
    @Test
    @DisplayName("A caller that names an object permits itself nothing, though the consumer returns its headers")
    void returnedHeaders() {
      open(message -> message.reply("", headersOf(message)));
      for (String address : List.of(PRIVATE, other)) {
        MultiMap reply = Waiting.await(bed.here.eventBus().request(ADDRESS, "x", naming(address))).headers();
        assertThat(reply.contains("proxyaddr")).isFalse();
        assertThat(reply.get("kept")).isEqualTo("k");
      }
      assertNotPermitted();
    }

    /** Fails if {@code Deliverer.answer} makes its options otherwise than {@code Deliverer.delivery} does. */
    @Test
    @DisplayName("Neither does a caller that names an object in its answer to a reply")
    void returnedHeadersOfAnswers() {
      open(message -> message.replyAndRequest("").onSuccess(answer -> answer.reply("", headersOf(answer))));
      for (String address : List.of(PRIVATE, other)) {
        Message<Object> reply = Waiting.await(bed.here.eventBus().request(ADDRESS, "x"));
        MultiMap last = Waiting.await(reply.replyAndRequest("y", naming(address))).headers();
        assertThat(last.contains("proxyaddr")).isFalse();
        assertThat(last.get("kept")).isEqualTo("k");
      }
      assertNotPermitted();
    }

    /** Fails if {@code Deliverer.replied} does not ask {@code ObjectAddress.isValid}. */
    @Test
    @DisplayName("A service that names an object at an address of another form permits nothing")
    void otherForms() {
      open(message -> message.reply("", naming(PRIVATE)));
      assertForbidden(Waiting.awaitFailure(bed.here.eventBus().request(ADDRESS, "x")),
          "names an object at private, which may not cross the bridge");
      assertThat(bed.services.snapshot().delivered()).isEqualTo(new BridgeTraffic(0, 0, 1, 0));
      assertNotPermitted();
    }
  }

  /** Fails if an object that is closed keeps its place at either end, or if a new one pushes out another one. */
  @Test
  @DisplayName("Closed objects, however many, make room and push out no living one")
  void closedObjects() {
    int many = 10_001;
    try (BridgeBed bed = BridgeBed.of(ADDRESS)) {
      EventBus there = bed.there.eventBus();
      there.consumer(ADDRESS, message -> {
        String name = UUID.randomUUID().toString();
        MessageConsumer<Object> object = there.consumer(name);
        object.handler(call -> {
          call.reply(name);
          if ("close".equals(call.headers().get("action"))) {
            object.unregister();
          }
        });
        object.completion().onSuccess(known -> message.reply("", new DeliveryOptions().addHeader("proxyaddr", name)));
      });
      String living = object(bed);
      Object name = Waiting.await(bed.here.eventBus().request(living, "")).body();
      for (int i = 0; i < many;) {
        List<Future<Message<Object>>> made = new ArrayList<>();
        for (int j = 0; j < 100 && i < many; j++, i++) {
          made.add(bed.here.eventBus().request(ADDRESS, ""));
        }
        made.stream().map(each -> bed.here.eventBus().request(Waiting.await(each).headers().get("proxyaddr"), "",
            new DeliveryOptions().addHeader("action", "close"))).toList().forEach(Waiting::await);
      }
      assertThat(Waiting.await(bed.here.eventBus().request(living, "")).body()).isEqualTo(name);
      assertThat(Waiting.await(bed.here.eventBus().request(object(bed), "")).body()).isNotEqualTo(name);
    }
  }

  /** Fails if {@code Deliverer.outcome} keeps a reply whose object has no place. */
  @Test
  @DisplayName("A reply that does not cross, as there is no place for its object, waits for no answer")
  void noPlaceForObject() {
    try (BridgeBed bed = BridgeBed.of(ADDRESS)) {
      BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
      bed.there.eventBus().consumer(ADDRESS, message -> {
        DeliveryOptions named = new DeliveryOptions().addHeader("proxyaddr", UUID.randomUUID().toString());
        if (message.body().equals("waits")) {
          message.replyAndRequest("", named).onFailure(failures::add);
        } else {
          message.reply("", named);
        }
      });
      for (int i = 0; i < 100; i++) {
        List<Future<Message<Object>>> made = new ArrayList<>();
        for (int j = 0; j < 100; j++) {
          made.add(bed.here.eventBus().request(ADDRESS, ""));
        }
        made.forEach(Waiting::await);
      }
      assertFailure(Waiting.awaitFailure(bed.here.eventBus().request(ADDRESS, "waits")), ReplyFailure.ERROR, -1,
          "knows 10000 objects");
      assertFailure(Waiting.next(failures), ReplyFailure.ERROR, -1, "knows 10000 objects");
      assertThat(bed.services.snapshot().conversations()).isZero();
    }
  }

  /** Fails if {@code Deliverer.outcome} permits no object of a reply that waits for an answer. */
  @Test
  @DisplayName("An object of a reply that waits for an answer can be called, too")
  void objectOfWaitingReply() {
    try (BridgeBed bed = BridgeBed.of(ADDRESS)) {
      String name = UUID.randomUUID().toString();
      bed.there.eventBus().consumer(name, message -> message.reply("object"));
      bed.there.eventBus().consumer(ADDRESS,
          message -> message.replyAndRequest("", new DeliveryOptions().addHeader("proxyaddr", name)));
      assertThat(Waiting.await(bed.here.eventBus().request(object(bed), "")).body()).isEqualTo("object");
    }
  }

  /** Fails if {@code Forwarder} forgets an object since a call of it has found no connection. */
  @Test
  @DisplayName("An object outlives the connection to its service")
  void lostLink() {
    Vertx vertx = Vertx.vertx();
    MultiMap named = MultiMap.caseInsensitiveMultiMap().add("proxyaddr", UUID.randomUUID().toString());
    Queue<Future<BridgeOutcome>> outcomes = new ConcurrentLinkedQueue<>(List.of(replied(named),
        Future.failedFuture(new RpcConnectException("no connection", null)),
        replied(MultiMap.caseInsensitiveMultiMap())));
    RpcCaller peer = new RpcCaller() {
      @Override
      @SuppressWarnings("unchecked") // the results of all procedures
      public <T> Future<T> call(RpcRequest<T> request) {
        return (Future<T>) outcomes.remove();
      }
    };
    EventBusBridge bridge =
        EventBusBridge.create(vertx, new BridgeOptions().forward(BridgePermit.address(ADDRESS)));
    Waiting.await(bridge.forward(peer));
    String object = Waiting.await(vertx.eventBus().request(ADDRESS, "")).headers().get("proxyaddr");
    assertFailure(Waiting.awaitFailure(vertx.eventBus().request(object, "")), ReplyFailure.NO_HANDLERS, 503,
        "no connection");
    assertThat(Waiting.await(vertx.eventBus().request(object, "")).body()).isEqualTo("peer");
    Waiting.await(vertx.close());
  }

  private static Future<BridgeOutcome> replied(MultiMap headers) {
    return Future.succeededFuture(
        new BridgeOutcome.Replied(new Content(headers, "string", Buffer.buffer("peer")), Optional.empty()));
  }

  /** Fails if either end forgets an object since a bridge behind it has found no connection. */
  @Test
  @DisplayName("An object outlives the connection of a bridge behind this one, and no address without a consumer")
  void lostLinkBehind() {
    try (BridgeBed bed = BridgeBed.of(ADDRESS)) {
      String name = UUID.randomUUID().toString();
      bed.there.eventBus().consumer(ADDRESS,
          message -> message.reply("", new DeliveryOptions().addHeader("proxyaddr", name)));
      MessageConsumer<Object> consumer = bed.there.eventBus().consumer(name);
      Queue<Object> replies = new ConcurrentLinkedQueue<>(
          List.of(new ReplyException(ReplyFailure.NO_HANDLERS, 503, "no connection"), "living"));
      consumer.handler(message -> message.reply(replies.remove()));
      String object = object(bed);
      assertFailure(Waiting.awaitFailure(bed.here.eventBus().request(object, "")), ReplyFailure.NO_HANDLERS, 503,
          "no connection");
      assertThat(Waiting.await(bed.here.eventBus().request(object, "")).body()).isEqualTo("living");
      Waiting.await(consumer.unregister());
      assertFailure(Waiting.awaitFailure(bed.here.eventBus().request(object, "")), ReplyFailure.NO_HANDLERS, -1, name);
      assertFailure(Waiting.awaitFailure(bed.here.eventBus().request(object, "")), ReplyFailure.NO_HANDLERS, -1,
          object);
    }
  }

  private static String object(BridgeBed bed) {
    return Waiting.await(bed.here.eventBus().request(ADDRESS, "")).headers().get("proxyaddr");
  }

  /** Fails if {@code Forwarder.renameObject} or {@code Deliverer.replied} does nothing for an object of a bridge. */
  @Test
  @DisplayName("An object behind two bridges is called through both, at an address of each event bus")
  void twoBridges() {
    BridgeOptions forward = new BridgeOptions().forward(BridgePermit.address(ADDRESS)).setMaxHops(2);
    BridgeOptions deliver = new BridgeOptions().deliver(BridgePermit.address(ADDRESS)).setMaxHops(2);
    try (BridgeBed near = new BridgeBed(forward, deliver)) {
      Vertx far = Vertx.vertx();
      RpcServer server = RpcServer.create(far).bind(EventBusBridge.create(far, deliver).service());
      Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
      EventBusBridge onward = EventBusBridge.create(near.there, forward);
      RpcClient client = RpcClient.create(near.there);
      Waiting.await(onward.forward(
          client.channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"))));
      String object = UUID.randomUUID().toString();
      far.eventBus().consumer(ADDRESS, message -> message.reply("",
          new DeliveryOptions().addHeader("proxyaddr", object)));
      far.eventBus().consumer(object, message -> message.reply("object"));
      String address =
          Waiting.await(near.here.eventBus().request(ADDRESS, "x")).headers().get("proxyaddr");
      assertThat(Waiting.await(near.here.eventBus().request(address, "x")).body()).isEqualTo("object");
      assertThat(address).isNotEqualTo(object);
      assertFailure(Waiting.awaitFailure(near.there.eventBus().request(address, "x")), ReplyFailure.NO_HANDLERS, -1,
          address);
      Waiting.await(onward.close());
      Waiting.await(client.close());
      Waiting.await(far.close());
    }
  }
}
