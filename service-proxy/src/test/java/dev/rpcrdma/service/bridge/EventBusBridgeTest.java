// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import io.vertx.serviceproxy.ServiceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Messages over a bridge, between senders and consumers that know nothing of it. */
class EventBusBridgeTest {

  private static final String ADDRESS = "there";

  private final BlockingQueue<Message<Object>> heard = new LinkedBlockingQueue<>();

  private static void echo(Vertx vertx) {
    vertx.eventBus().consumer(ADDRESS, message -> message.reply(message.body()));
  }

  private void hear(Vertx vertx) {
    Waiting.await(vertx.eventBus().consumer(ADDRESS, heard::add).completion());
  }

  private static ReplyException failure(BridgeBed bed, String address, DeliveryOptions delivery) {
    Throwable cause = Waiting.awaitFailure(bed.here.eventBus().request(address, "x", delivery));
    assertThat(cause).isInstanceOf(ReplyException.class);
    return (ReplyException) cause;
  }

  private static void assertFailure(ReplyException cause, ReplyFailure type, int code, String part) {
    assertThat(cause.failureType()).isEqualTo(type);
    assertThat(cause.failureCode()).isEqualTo(code);
    assertThat(cause.getMessage()).contains(part);
  }

  @Test
  @DisplayName("Bodies of all types that the event bus knows come back as they were")
  void bodies() {
    try (BridgeBed bed = BridgeBed.of(ADDRESS)) {
      echo(bed.there);
      List<Object> bodies = List.of(true, (byte) -1, 'c', (short) -2, -3, Long.MIN_VALUE, 1.5f, -2.5, "", "text \u20ac",
          Buffer.buffer("bytes"), new JsonObject().put("a", new JsonArray().add(1).addNull()), new JsonArray().add("e"),
          "s".repeat(200_000), Buffer.buffer(new byte[3_000_000]),
          new JsonObject().put("long", "j".repeat(100_000)));
      for (Object body : bodies) {
        assertThat(Waiting.await(bed.here.eventBus().request(ADDRESS, body)).body()).isEqualTo(body);
      }
      assertThat(Waiting.await(bed.here.eventBus().request(ADDRESS, null)).body()).isNull();
      assertThat(Waiting.await(bed.here.eventBus().<byte[]>request(ADDRESS, new byte[] {1, 2})).body())
          .containsExactly(1, 2);
    }
  }

  /** A body that the event bus does not know. */
  private record Point(int x, int y) {}

  private static final class PointCodec implements MessageCodec<Point, Point> {

    @Override
    public void encodeToWire(Buffer buffer, Point point) {
      buffer.appendInt(point.x).appendInt(point.y);
    }

    @Override
    public Point decodeFromWire(int at, Buffer buffer) {
      return new Point(buffer.getInt(at), buffer.getInt(at + 4));
    }

    @Override
    public Point transform(Point point) {
      return point;
    }

    @Override
    public String name() {
      return "point";
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }
  }

  @Test
  @DisplayName("Bodies of other types cross by codecs that both ends were given, and fail without")
  void codecs() {
    try (BridgeBed bed = BridgeBed.of(ADDRESS)) {
      bed.here.eventBus().registerDefaultCodec(Point.class, new PointCodec());
      bed.there.eventBus().registerDefaultCodec(Point.class, new PointCodec());
      echo(bed.there);
      Throwable unknown = Waiting.awaitFailure(bed.here.eventBus().request(ADDRESS, new Point(1, 2)));
      assertThat(unknown).hasMessageContaining("addCodec").hasMessageContaining("Point");
      bed.callers.addCodec(Point.class, new PointCodec());
      Throwable oneSided = Waiting.awaitFailure(bed.here.eventBus().request(ADDRESS, new Point(1, 2)));
      assertThat(oneSided).hasMessageContaining("no codec point");
      bed.services.addCodec(Point.class, new PointCodec());
      assertThat(Waiting.await(bed.here.eventBus().request(ADDRESS, new Point(1, 2))).body())
          .isEqualTo(new Point(1, 2));
    }
  }

  /** Fails if {@code Forwarder.reply} lets out that the event bus of the caller has no codec for the reply. */
  @Test
  @DisplayName("A reply whose codec the event bus of the caller lacks fails at once, and counts as a failure")
  void codecOfReply() {
    try (BridgeBed bed = BridgeBed.of(ADDRESS)) {
      bed.there.eventBus().registerDefaultCodec(Point.class, new PointCodec());
      bed.callers.addCodec(Point.class, new PointCodec());
      bed.services.addCodec(Point.class, new PointCodec());
      bed.there.eventBus().consumer(ADDRESS, message -> message.reply(new Point(1, 2)));
      assertFailure(failure(bed, ADDRESS, new DeliveryOptions()), ReplyFailure.ERROR, -1,
          "cannot send a body of codec point: register the codec there by EventBus.registerCodec");
      assertThat(bed.callers.snapshot().forwarded()).isEqualTo(new BridgeTraffic(0, 0, 1, 0));
    }
  }

  /** Fails if {@code Deliverer.replied} or {@code Forwarder.reply} leaves the sender of such a reply waiting. */
  @Test
  @DisplayName("The sender of a reply that cannot cross, at either end, hears at once that no answer comes")
  void codecOfReplyThatWaits() {
    try (BridgeBed bed = BridgeBed.of(ADDRESS)) {
      BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
      bed.there.eventBus().registerDefaultCodec(Point.class, new PointCodec());
      bed.there.eventBus().consumer(ADDRESS,
          message -> message.replyAndRequest(new Point(1, 2)).onFailure(failures::add));
      for (String part : List.of("addCodec", "no codec point", "EventBus.registerCodec")) {
        assertFailure(failure(bed, ADDRESS, new DeliveryOptions()), ReplyFailure.ERROR, -1, part);
        assertFailure((ReplyException) Waiting.next(failures), ReplyFailure.ERROR, -1, part);
        if (part.equals("addCodec")) {
          bed.services.addCodec(Point.class, new PointCodec());
        } else {
          bed.callers.addCodec(Point.class, new PointCodec());
        }
      }
      assertThat(bed.services.snapshot().conversations()).isZero();
    }
  }

  /** Fails if {@code Deliverer} lets out that the event bus of the service has no codec, or the answer is dropped. */
  @Test
  @DisplayName("A request or an answer without a codec fails at once, and so does the reply that waits for the answer")
  void codecOfAnswer() {
    try (BridgeBed bed = BridgeBed.of(ADDRESS)) {
      BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
      bed.there.eventBus().consumer(ADDRESS, message -> message.replyAndRequest("").onFailure(failures::add));
      bed.here.eventBus().registerDefaultCodec(Point.class, new PointCodec());
      Throwable unknown = Waiting.awaitFailure(
          Waiting.await(bed.here.eventBus().request(ADDRESS, "x")).replyAndRequest(new Point(1, 2)));
      assertFailure((ReplyException) unknown, ReplyFailure.ERROR, -1, "addCodec");
      assertFailure((ReplyException) Waiting.next(failures), ReplyFailure.ERROR, -1, "addCodec");
      bed.callers.addCodec(Point.class, new PointCodec());
      for (String part : List.of("no codec point", "EventBus.registerCodec")) {
        unknown = Waiting.awaitFailure(
            Waiting.await(bed.here.eventBus().request(ADDRESS, "x")).replyAndRequest(new Point(1, 2)));
        assertFailure((ReplyException) unknown, ReplyFailure.ERROR, -1, part);
        assertFailure((ReplyException) Waiting.next(failures), ReplyFailure.ERROR, -1, part);
        bed.services.addCodec(Point.class, new PointCodec());
      }
      assertFailure((ReplyException) Waiting.awaitFailure(bed.here.eventBus().request(ADDRESS, new Point(1, 2))),
          ReplyFailure.ERROR, -1, "EventBus.registerCodec");
    }
  }

  /** End of a bridge that reads no answers. */
  private record NoAnswers(RpcService bridge) implements RpcService {

    @Override
    public UpperLayerBinding binding() {
      return bridge.binding();
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      if (call.procedure() == BridgeProgram.ANSWER) {
        throw new XdrException("unreadable");
      }
      return bridge.handle(call);
    }
  }

  /** Fails if {@code Forwarder.answered} leaves the sender of the reply waiting when its call fails. */
  @Test
  @DisplayName("An answer that the other end cannot read fails at once, and so does the reply that waits for it")
  void unreadableAnswer() {
    try (BridgeBed bed = new BridgeBed(new BridgeOptions().forward(BridgePermit.address(ADDRESS)),
        new BridgeOptions().deliver(BridgePermit.address(ADDRESS)), new RpcClientOptions(), NoAnswers::new)) {
      BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
      bed.there.eventBus().consumer(ADDRESS, message -> message.replyAndRequest("").onFailure(failures::add));
      Throwable unreadable = Waiting.awaitFailure(
          Waiting.await(bed.here.eventBus().request(ADDRESS, "x")).replyAndRequest("y"));
      assertFailure((ReplyException) unreadable, ReplyFailure.ERROR, -1, "cannot decode the arguments");
      assertFailure((ReplyException) Waiting.next(failures), ReplyFailure.ERROR, -1, "cannot decode the arguments");
      assertThat(bed.services.snapshot().conversations()).isZero();
    }
  }

  @Test
  @DisplayName("Headers cross in both directions, of any name and length, but the event bus's own")
  void headers() {
    try (BridgeBed bed = BridgeBed.of(ADDRESS)) {
      bed.there.eventBus().consumer(ADDRESS, message -> {
        DeliveryOptions back = new DeliveryOptions();
        message.headers().forEach(back::addHeader);
        message.reply("ok", back.addHeader("__vertx.private", "x"));
      });
      MultiMap small = MultiMap.caseInsensitiveMultiMap().add("auth-token", "t\u00f6ken").add("Tenant", "blue");
      assertHeaders(bed, small);
      assertHeaders(bed, MultiMap.caseInsensitiveMultiMap().addAll(small).add("long", "l".repeat(5000)));
      assertHeaders(bed, MultiMap.caseInsensitiveMultiMap().add("a name", "1").add("lines", "a\nb").add("empty", ""));
      assertHeaders(bed, MultiMap.caseInsensitiveMultiMap().add("twice", "1").add("twice", "2"));
      assertHeaders(bed, MultiMap.caseInsensitiveMultiMap());
    }
  }

  private static void assertHeaders(BridgeBed bed, MultiMap headers) {
    DeliveryOptions delivery = new DeliveryOptions().addHeader("__vertx.mine", "x");
    headers.forEach(delivery::addHeader);
    MultiMap back = Waiting.await(bed.here.eventBus().request(ADDRESS, "x", delivery)).headers();
    headers.names().forEach(name -> assertThat(back.getAll(name)).isEqualTo(headers.getAll(name)));
    assertThat(back.names()).noneMatch(name -> name.startsWith("__vertx."));
  }

  @Test
  @DisplayName("Without metadata a connection loses headers; the message fails rather than arrive without")
  void withoutMetadata() {
    try (BridgeBed bed = new BridgeBed(new BridgeOptions().forward(BridgePermit.address(ADDRESS)),
        new BridgeOptions().deliver(BridgePermit.address(ADDRESS)), new RpcClientOptions().setMetadata(false))) {
      echo(bed.there);
      assertFailure(failure(bed, ADDRESS, new DeliveryOptions()), ReplyFailure.ERROR, -1, "option metadata");
    }
  }

  @Test
  @DisplayName("Messages without a reply cross, sent to one consumer or published to all")
  void oneWay() {
    try (BridgeBed bed = BridgeBed.of(ADDRESS)) {
      hear(bed.there);
      hear(bed.there);
      bed.here.eventBus().send(ADDRESS, "one");
      assertThat(Waiting.next(heard).isSend()).isTrue();
      bed.here.eventBus().publish(ADDRESS, "all", new DeliveryOptions().addHeader("k", "v"));
      for (int i = 0; i < 2; i++) {
        Message<Object> published = Waiting.next(heard);
        assertThat(published.isSend()).isFalse();
        assertThat(published.body()).isEqualTo("all");
        assertThat(published.headers().get("k")).isEqualTo("v");
      }
      assertThat(heard).isEmpty();
    }
  }

  @Test
  @DisplayName("A conversation of replies to replies crosses back and forth")
  void conversation() {
    try (BridgeBed bed = BridgeBed.of(ADDRESS)) {
      Promise<Object> end = Promise.promise();
      bed.there.eventBus().consumer(ADDRESS, message -> message.replyAndRequest(message.body() + "1")
          .onSuccess(second -> second.replyAndRequest(second.body() + "3").onSuccess(
              third -> end.complete(third.body()))));
      Message<Object> first = Waiting.await(bed.here.eventBus().request(ADDRESS, "0"));
      assertThat(first.body()).isEqualTo("01");
      Message<Object> third = Waiting.await(first.replyAndRequest(first.body() + "2"));
      assertThat(third.body()).isEqualTo("0123");
      third.reply(third.body() + "4");
      assertThat(Waiting.await(end.future())).isEqualTo("01234");
    }
  }

  /** Fails if {@code Forwarder.refused} does not forward a failure, or {@code Deliverer.refuse} does not reply it. */
  @Test
  @DisplayName("A failure as the answer to a reply crosses at once, in both directions")
  void refusedReply() {
    try (BridgeBed bed = BridgeBed.of(ADDRESS)) {
      BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
      bed.there.eventBus().consumer(ADDRESS, message -> message.replyAndRequest("").onFailure(failures::add)
          .onSuccess(answer -> answer.fail(9, "enough")));
      Waiting.await(bed.here.eventBus().request(ADDRESS, "x")).fail(7, "no more");
      assertFailure((ReplyException) Waiting.next(failures), ReplyFailure.RECIPIENT_FAILURE, 7, "no more");
      Waiting.await(bed.here.eventBus().request(ADDRESS, "x")).reply(
          new ServiceException(8, "thrown", new JsonObject().put("a", 1)));
      ServiceException thrown = (ServiceException) Waiting.next(failures);
      assertFailure(thrown, ReplyFailure.RECIPIENT_FAILURE, 8, "thrown");
      assertThat(thrown.getDebugInfo()).isEqualTo(new JsonObject().put("a", 1));
      Throwable back = Waiting.awaitFailure(
          Waiting.await(bed.here.eventBus().request(ADDRESS, "x")).replyAndRequest("y"));
      assertFailure((ReplyException) back, ReplyFailure.RECIPIENT_FAILURE, 9, "enough");
      Waiting.until(() -> bed.callers.snapshot().forwarded().equals(new BridgeTraffic(5, 0, 1, 0)));
      assertThat(bed.services.snapshot().delivered()).isEqualTo(new BridgeTraffic(5, 0, 1, 0));
      assertThat(bed.services.snapshot().conversations()).isZero();
    }
  }

  /** Fails if {@code BridgeOutcome.write} has debug info written that has no form in JSON. */
  @Test
  @DisplayName("Failures keep their kind, code and message")
  void failures() {
    try (BridgeBed bed = new BridgeBed(
        new BridgeOptions().forward(BridgePermit.address(ADDRESS)).forward(BridgePermit.address("nobody"))
            .setTimeout(Duration.ofSeconds(1)),
        new BridgeOptions().deliver(BridgePermit.address(ADDRESS)).deliver(BridgePermit.address("nobody")))) {
      // Connecting has no part in the timeout.
      Waiting.await(bed.channel.connect());
      bed.there.eventBus().<String>consumer(ADDRESS, message -> {
        switch (String.valueOf(message.headers().get("how"))) {
          case "fail":
            message.fail(7, "refused");
            return;
          case "service":
            message.reply(new ServiceException(8, "thrown", new JsonObject().put("a", 1)));
            return;
          case "odd":
            message.reply(new ServiceException(8, "thrown", new JsonObject().put("a", Thread.currentThread())));
            return;
          case "null":
            message.reply(new ReplyException(ReplyFailure.RECIPIENT_FAILURE, 9, null));
            return;
          default:
            // Never answers.
        }
      });
      assertFailure(failure(bed, ADDRESS, how("fail")), ReplyFailure.RECIPIENT_FAILURE, 7, "refused");
      ReplyException thrown = failure(bed, ADDRESS, how("service"));
      assertFailure(thrown, ReplyFailure.RECIPIENT_FAILURE, 8, "thrown");
      assertThat(((ServiceException) thrown).getDebugInfo()).isEqualTo(new JsonObject().put("a", 1));
      ReplyException odd = failure(bed, ADDRESS, how("odd"));
      assertFailure(odd, ReplyFailure.RECIPIENT_FAILURE, 8, "thrown");
      assertThat(((ServiceException) odd).getDebugInfo()).isEqualTo(new JsonObject());
      ReplyException silent = failure(bed, ADDRESS, how("null"));
      assertThat(silent.failureCode()).isEqualTo(9);
      assertThat(silent.getMessage()).isNull();
      assertFailure(failure(bed, "nobody", new DeliveryOptions()), ReplyFailure.NO_HANDLERS, -1, "nobody");
      assertThat(failure(bed, ADDRESS, how("never")).failureType()).isEqualTo(ReplyFailure.TIMEOUT);
    }
  }

  private static DeliveryOptions how(String how) {
    return new DeliveryOptions().addHeader("how", how);
  }

  @Test
  @DisplayName("Only what both ends permit crosses, and by default nothing")
  void permits() {
    try (BridgeBed bed = new BridgeBed(
        new BridgeOptions().forward(BridgePermit.actions(ADDRESS, "a", "b")).forward(BridgePermit.address("other")),
        new BridgeOptions().deliver(BridgePermit.actions(ADDRESS, "b", "c")))) {
      echo(bed.there);
      bed.there.eventBus().consumer("other", message -> message.reply("never"));
      assertThat(Waiting.await(bed.here.eventBus().request(ADDRESS, "x",
          new DeliveryOptions().addHeader("action", "b"))).body()).isEqualTo("x");
      assertFailure(failure(bed, ADDRESS, new DeliveryOptions().addHeader("action", "a")),
          ReplyFailure.RECIPIENT_FAILURE, 403, "there/a may not cross the bridge");
      assertFailure(failure(bed, ADDRESS, new DeliveryOptions().addHeader("action", "c")),
          ReplyFailure.RECIPIENT_FAILURE, 403, "there/c may not cross the bridge");
      assertFailure(failure(bed, ADDRESS, new DeliveryOptions()),
          ReplyFailure.RECIPIENT_FAILURE, 403, "there may not cross the bridge");
      assertFailure(failure(bed, "other", new DeliveryOptions()),
          ReplyFailure.RECIPIENT_FAILURE, 403, "other may not cross the bridge");
    }
    try (BridgeBed bed = new BridgeBed(new BridgeOptions(), new BridgeOptions())) {
      assertThat(failure(bed, ADDRESS, new DeliveryOptions()).failureType()).isEqualTo(ReplyFailure.NO_HANDLERS);
    }
  }

  /** Fails if {@code EventBusBridge.create} takes an address in both directions, whatever the actions. */
  @Test
  @DisplayName("A bridge does not forward and deliver the same address")
  void bothWays() {
    Vertx vertx = Vertx.vertx();
    BridgeOptions options = new BridgeOptions().forward(BridgePermit.address("other"))
        .forward(BridgePermit.actions(ADDRESS, "a")).deliver(BridgePermit.actions(ADDRESS, "b"));
    assertThatThrownBy(() -> EventBusBridge.create(vertx, options)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("The bridge both forwards and delivers there:");
    Waiting.await(vertx.close());
  }

  @Test
  @DisplayName("Two pairs of ends that forward an address to each other do not send a message around")
  void loop() {
    try (BridgeBed bed = BridgeBed.of(ADDRESS)) {
      BlockingQueue<Object> published = new LinkedBlockingQueue<>();
      bed.channel.bind(EventBusBridge.create(bed.here, new BridgeOptions().deliver(BridgePermit.address(ADDRESS)))
          .service());
      EventBusBridge back =
          EventBusBridge.create(bed.there, new BridgeOptions().forward(BridgePermit.address(ADDRESS)));
      Promise<Void> backward = Promise.promise();
      bed.server().connectionHandler(connection -> back.forward(connection.peer()).onComplete(backward));
      bed.here.eventBus().consumer(ADDRESS, message -> published.add(message.body()));
      Waiting.await(bed.channel.connect());
      Waiting.await(backward.future());
      hear(bed.there);
      bed.here.eventBus().publish(ADDRESS, "round");
      assertThat(Waiting.next(heard).body()).isEqualTo("round");
      bed.here.eventBus().publish(ADDRESS, "again");
      assertThat(Waiting.next(heard).body()).isEqualTo("again");
      assertThat(List.of(Waiting.next(published), Waiting.next(published))).containsExactly("round", "again");
      // By then the first one would have come back.
      assertThat(published).isEmpty();
    }
  }

  @Test
  @DisplayName("Each of many more messages than may wait has an outcome at once, and those that cross are answered")
  void overload() {
    int many = 5_000;
    try (BridgeBed bed = new BridgeBed(new BridgeOptions().forward(BridgePermit.address(ADDRESS)),
        new BridgeOptions().deliver(BridgePermit.address(ADDRESS)),
        new RpcClientOptions().setForwardCredits(4).setMaxQueuedCalls(100))) {
      AtomicInteger executed = new AtomicInteger();
      bed.there.eventBus().consumer(ADDRESS, message -> {
        executed.incrementAndGet();
        message.reply(message.body());
      });
      List<Future<Message<Object>>> all = new ArrayList<>();
      for (int i = 0; i < many; i++) {
        all.add(bed.here.eventBus().request(ADDRESS, i));
      }
      int answered = 0;
      for (int i = 0; i < many; i++) {
        Throwable refused = Waiting.outcome(all.get(i));
        if (refused == null) {
          assertThat(all.get(i).result().body()).isEqualTo(i);
          answered++;
        } else {
          assertFailure((ReplyException) refused, ReplyFailure.ERROR, -1, "100");
        }
      }
      assertThat(answered).isEqualTo(executed.get()).isBetween(100, many);
    }
  }

  /** Fails if {@code Content.part} leaves all headers in the arguments since one is too long for the metadata. */
  @Test
  @DisplayName("A token reaches the interceptors of the server, and those of the service behind the bridge")
  void tokens() {
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    Vertx there = Vertx.vertx();
    Vertx here = Vertx.vertx();
    EventBusBridge services =
        EventBusBridge.create(there, new BridgeOptions().deliver(BridgePermit.address(ADDRESS)));
    RpcServer server = RpcServer.builder(there).addServiceInterceptor((call, next) -> {
      seen.add("server " + call.headers().get("auth-token") + " " + call.headers().get("tenant"));
      return next.handle(call);
    }).build().bind(services.service());
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    there.eventBus().consumer(ADDRESS, message -> {
      seen.add("service " + message.headers().get("auth-token") + " " + message.headers().get("tenant"));
      message.reply("ok");
    });
    RpcClient client = RpcClient.create(here);
    Waiting.await(EventBusBridge.create(here, new BridgeOptions().forward(BridgePermit.address(ADDRESS)))
        .forward(client.channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"))));
    Waiting.await(here.eventBus().request(ADDRESS, "x", new DeliveryOptions().addHeader("auth-token", "t")));
    assertThat(Waiting.next(seen)).isEqualTo("server t null");
    assertThat(Waiting.next(seen)).isEqualTo("service t null");
    String token = "t".repeat(2000);
    Waiting.await(here.eventBus().request(ADDRESS, "x", new DeliveryOptions().addHeader("auth-token", token)
        .addHeader("Tenant", "blue").addHeader("twice", "1").addHeader("twice", "2").addHeader("lines", "a\nb")));
    assertThat(Waiting.next(seen)).isEqualTo("server null blue");
    assertThat(Waiting.next(seen)).isEqualTo("service " + token + " blue");
    Waiting.await(here.close());
    Waiting.await(there.close());
  }

  /** Fails if {@code EventBusBridge.forwardTo} registers for a connection that has ended. */
  @Test
  @DisplayName("A connection that has ended already is not forwarded to, and leaves nothing registered")
  void endedConnection() {
    try (BridgeBed bed = BridgeBed.of(ADDRESS)) {
      Promise<RpcConnection> accepted = Promise.promise();
      bed.server().connectionHandler(accepted::complete);
      Waiting.await(bed.channel.connect());
      RpcConnection connection = Waiting.await(accepted.future());
      Waiting.await(bed.channel.close());
      Waiting.await(connection.closeFuture());
      EventBusBridge back = EventBusBridge.create(bed.there, new BridgeOptions().forward(BridgePermit.address("back")));
      assertThat(Waiting.awaitFailure(back.forwardTo(connection))).isInstanceOf(IllegalStateException.class)
          .hasMessage("The connection has ended");
      assertThat(Waiting.awaitFailure(bed.there.eventBus().request("back", "x")))
          .isInstanceOfSatisfying(ReplyException.class,
              e -> assertThat(e.failureType()).isEqualTo(ReplyFailure.NO_HANDLERS))
          .hasMessageStartingWith("No handlers for address back");
      assertThat(back.snapshot().peers()).isZero();
    }
  }

  /** Fails if {@code EventBusBridge.forwardTo} keeps what has forwarded to a connection that has ended. */
  @Test
  @DisplayName("A connection that ends is not counted any more, and leaves nothing registered")
  void connectionEnds() {
    try (BridgeBed bed = BridgeBed.of(ADDRESS)) {
      Promise<RpcConnection> accepted = Promise.promise();
      bed.server().connectionHandler(accepted::complete);
      Waiting.await(bed.channel.connect());
      EventBusBridge back = EventBusBridge.create(bed.there, new BridgeOptions().forward(BridgePermit.address("back")));
      Waiting.await(back.forwardTo(Waiting.await(accepted.future())));
      assertThat(back.snapshot().peers()).isOne();
      Waiting.await(bed.channel.close());
      Waiting.until(() -> back.snapshot().peers() == 0);
      Waiting.until(() -> Waiting.awaitFailure(bed.there.eventBus().request("back", "x"))
          instanceof ReplyException failure && failure.failureType() == ReplyFailure.NO_HANDLERS
          && failure.failureCode() == -1);
    }
  }

  @Test
  @DisplayName("Messages that nobody carries any more fail at once, with what is known")
  void unreachable() {
    BridgeBed bed = BridgeBed.of(ADDRESS);
    Waiting.await(bed.server().close());
    ReplyException failure = failure(bed, ADDRESS, new DeliveryOptions());
    assertThat(failure.failureType()).isIn(ReplyFailure.NO_HANDLERS, ReplyFailure.ERROR);
    Waiting.await(bed.callers.close());
    assertThat(failure(bed, ADDRESS, new DeliveryOptions()).failureType()).isEqualTo(ReplyFailure.NO_HANDLERS);
    assertThat(Waiting.awaitFailure(bed.callers.forward(bed.channel))).hasMessage("The bridge is closed");
    bed.close();
  }

  @Test
  @DisplayName("Options go to JSON and back; what is wrong with them is said by its key")
  void options() {
    BridgeOptions options = new BridgeOptions().forward(BridgePermit.actions("a", "x", "y"))
        .deliver(BridgePermit.address("b")).setTimeout(Duration.ofSeconds(5)).setMaxHops(3).setLocalOnly(true)
        .setProxyTimeout(Duration.ofMinutes(1));
    BridgeOptions back = new BridgeOptions(new JsonObject(options.toJson().encode()));
    assertThat(back.toJson()).isEqualTo(options.toJson());
    assertThat(back.getForwarded()).isEqualTo(options.getForwarded());
    assertThat(new BridgeOptions(options).toJson()).isEqualTo(options.toJson());
    assertWrong(new JsonObject().put("forward", 1), "No such option: forward (did you mean forwarded?); there are"
        + " delivered, forwarded, localOnly, maxHops, proxyTimeout, timeout");
    assertThat(new BridgeOptions(new JsonObject().put("timeout", 30)).getTimeout()).isEqualTo(Duration.ofMillis(30));
    assertWrong(new JsonObject().put("timeout", 1.5), "timeout is a whole number of milliseconds, or a duration");
    assertWrong(new JsonObject().put("timeout", "30"), "timeout is a whole number of milliseconds, or a duration");
    assertWrong(new JsonObject().put("timeout", "PT0S"), "timeout is 1 ms to 1 day, not PT0S");
    assertWrong(new JsonObject().put("maxHops", 0), "maxHops is 1 to 16, not 0");
    assertWrong(new JsonObject().put("maxHops", 1.5), "maxHops is a whole number, not 1.5");
    assertWrong(new JsonObject().put("delivered", new JsonArray().add("x")), "delivered is an array of permits");
    assertWrong(new JsonObject().put("delivered", new JsonArray().add(new JsonObject())),
        "address is missing: an address");
    assertWrong(new JsonObject().put("delivered", new JsonArray().add(new JsonObject().put("address", "a")
        .put("actions", "b"))), "actions is an array of names of methods, not b");
    assertWrong(new JsonObject().put("delivered", new JsonArray().add(new JsonObject().put("adress", "a"))),
        "No such key in a permit: adress");
  }

  private static void assertWrong(JsonObject json, String message) {
    assertThatThrownBy(() -> new BridgeOptions(json)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  /** Fails if {@code Deliverer.decode} does not ask {@code CallInService.begin}. */
  @Test
  @DisplayName("A message that waits for a worker is not delivered when its sender has timed out meanwhile")
  void callerGone() {
    try (BridgeBed bed = new BridgeBed(
        new BridgeOptions().forward(BridgePermit.address(ADDRESS)).setTimeout(Duration.ofMillis(500)),
        new BridgeOptions().deliver(BridgePermit.address(ADDRESS)))) {
      hear(bed.there);
      String text = "long".repeat(50_000);
      // Workers also allocate memory for long messages, which the next one uses again.
      bed.here.eventBus().send(ADDRESS, text);
      Waiting.next(heard);
      Waiting.until(() -> bed.services.snapshot().delivered().succeeded() == 1);
      CountDownLatch goesOn = new CountDownLatch(1);
      CountDownLatch busy = new CountDownLatch(VertxOptions.DEFAULT_WORKER_POOL_SIZE);
      for (int i = 0; i < VertxOptions.DEFAULT_WORKER_POOL_SIZE; i++) {
        bed.there.executeBlocking(() -> {
          busy.countDown();
          Waiting.await(goesOn);
          return null;
        }, false);
      }
      Waiting.await(busy);
      assertThat(Waiting.awaitFailure(bed.here.eventBus().request(ADDRESS, text)))
          .isInstanceOfSatisfying(ReplyException.class,
              e -> assertThat(e.failureType()).isEqualTo(ReplyFailure.TIMEOUT));
      // The services' end hears of it later than the sender.
      Waiting.until(() -> bed.server().callCount() == 0);
      goesOn.countDown();
      Waiting.until(() -> bed.services.snapshot().delivered().failed() == 1);
      bed.here.eventBus().send(ADDRESS, "short");
      assertThat(Waiting.next(heard).body()).isEqualTo("short");
    }
  }

  /** Fails if {@code Deliverer.delivery} sets no timeout, or does not set the shorter one of both. */
  @Test
  @DisplayName("A consumer that does not answer is waited for as long as both ends want")
  void unanswered() {
    for (Duration[] timeouts : new Duration[][] {{Duration.ofMillis(300), Duration.ofMinutes(10)},
        {Duration.ofMinutes(10), Duration.ofMillis(300)}}) {
      try (BridgeBed bed = new BridgeBed(
          new BridgeOptions().forward(BridgePermit.address(ADDRESS)).setTimeout(timeouts[0]),
          new BridgeOptions().deliver(BridgePermit.address(ADDRESS)).setTimeout(timeouts[1]))) {
        Waiting.await(bed.channel.connect());
        hear(bed.there);
        Future<Message<Object>> answer = bed.here.eventBus().request(ADDRESS, "x",
            new DeliveryOptions().setSendTimeout(Duration.ofMinutes(10).toMillis()));
        assertThat(((ReplyException) Waiting.awaitFailure(answer)).failureType()).isEqualTo(ReplyFailure.TIMEOUT);
        Waiting.until(() -> bed.services.snapshot().delivered().equals(new BridgeTraffic(0, 0, 1, 0)));
      }
    }
  }

  /** Fails if a message that fits the inline size is forwarded or delivered by a worker. */
  @Test
  @DisplayName("Messages of one sender that fit the inline size arrive in their order")
  void order() {
    try (BridgeBed bed = BridgeBed.of(ADDRESS)) {
      hear(bed.there);
      Waiting.await(bed.channel.connect());
      for (int i = 0; i < 200; i++) {
        String text = "x".repeat(i * 31 % 8 * 400);
        bed.here.eventBus().send(ADDRESS, i % 2 == 0 ? text + i : new JsonObject().put("n", text + i));
      }
      for (int i = 0; i < 200; i++) {
        Object body = Waiting.next(heard).body();
        String text = body instanceof JsonObject json ? json.getString("n") : (String) body;
        assertThat(text.replace("x", "")).isEqualTo(Integer.toString(i));
      }
    }
  }

  /** Fails if one of two forwarders leaves out what another one has forwarded. */
  @Test
  @DisplayName("Each bridge that forwards an address forwards what is published there")
  void publishedTwice() {
    try (BridgeBed bed = BridgeBed.of(ADDRESS)) {
      hear(bed.there);
      EventBusBridge second =
          EventBusBridge.create(bed.here, new BridgeOptions().forward(BridgePermit.address(ADDRESS)));
      Waiting.await(second.forward(bed.channel));
      bed.here.eventBus().publish(ADDRESS, "all");
      assertThat(List.of(Waiting.next(heard).body(), Waiting.next(heard).body())).containsExactly("all", "all");
      Waiting.await(second.close());
    }
  }
}
