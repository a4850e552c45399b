// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import io.vertx.serviceproxy.ServiceException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The program of the bridge, byte by byte, as each end sends and takes it. */
class BridgeWireTest {

  /** "desk.in". */
  private static final String ADDRESS = "00000007 6465736b 2e696e00 ";
  /** Headers "kk: v" and "kk: w", a name with two values, which is not beside the call. */
  private static final String TWO_VALUES = "00000002 00000002 6b6b0000 00000001 76000000"
      + " 00000002 6b6b0000 00000001 77000000 ";
  private static final String NO_HEADERS = "00000000 ";
  private static final String STRING = "00000006 73747269 6e670000 ";
  private static final String HELLO = STRING + "00000005 68656c6c 6f000000";
  private static final String NOTHING = "00000000 00000000 00000000 00000004 6e756c6c 00000000 00000000";
  private static final String CONVERSATION = "c1c2c3c4 c5c6c7c8 c9cacbcc cdcecfd0 ";
  private static final String WAITS = "00000010 " + CONVERSATION.strip();

  private final Vertx vertx = Vertx.vertx();
  private RpcServer server;
  private RpcClient client;

  private RpcChannel serve(RpcService service) {
    server = RpcServer.create(vertx).bind(service);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    client = RpcClient.create(vertx);
    return client.channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
  }

  @AfterEach
  void close() {
    Waiting.await(client.close());
    Waiting.await(server.close());
    Waiting.await(vertx.close());
  }

  private static String words(XdrReader reader) {
    return HexFormat.of().formatHex(reader.fixedOpaque(reader.remaining())).replaceAll("(.{8})(?=.)", "$1 ");
  }

  private static XdrEncoder bytes(String hex) {
    return writer -> writer.fixedOpaque(HexFormat.of().parseHex(hex.replace(" ", "")));
  }

  @Nested
  class TheDeliverer {

    private final BlockingQueue<Message<Object>> delivered = new LinkedBlockingQueue<>();
    private EventBusBridge bridge;
    private RpcChannel channel;

    private void open() {
      bridge = EventBusBridge.create(vertx, new BridgeOptions().deliver(BridgePermit.address("desk.in")));
      vertx.eventBus().consumer("desk.in", delivered::add);
      channel = serve(bridge.service());
    }

    private Future<String> call(int procedure, String arguments, Map<String, String> headers) {
      return channel.call(RpcRequest.to(0x2006F010, 1, procedure).withoutBinding().arguments(bytes(arguments))
          .results(BridgeWireTest::words).options(CallOptions.DEFAULT.withHeaders(headers)).build());
    }

    private Message<Object> request(Map<String, String> headers, String content, BlockingQueue<String> outcome) {
      call(1, ADDRESS + content, headers).onSuccess(outcome::add);
      return Waiting.next(delivered);
    }

    @AfterEach
    void closeBridge() {
      Waiting.await(bridge.close());
    }

    /** Fails if {@code Content.read} or {@code BridgeOutcome.write} has another field or order. */
    @Test
    @DisplayName("REQUEST and ANSWER: message, reply that waits, answer, and what nobody replies to")
    void conversation() {
      open();
      BlockingQueue<String> outcome = new LinkedBlockingQueue<>();
      Message<Object> message = request(Map.of(), "00000000 " + TWO_VALUES + HELLO, outcome);
      assertThat(message.body()).isEqualTo("hello");
      assertThat(message.headers().getAll("kk")).containsExactly("v", "w");
      Future<Message<Object>> answer = message.replyAndRequest("hello", new DeliveryOptions().addHeader("kk", "v"));
      String replied = Waiting.next(outcome);
      String content = "00000000 00000000 00000001 00000002 6b6b0000 00000001 76000000 " + HELLO + " 00000010 ";
      assertThat(replied).startsWith(content).hasSize(content.length() + CONVERSATION.strip().length());
      String conversation = replied.substring(content.length());
      Future<String> last = call(4, conversation + " 00000000 00000000 " + NO_HEADERS + HELLO, Map.of());
      assertThat(Waiting.await(answer).body()).isEqualTo("hello");
      assertThat(Waiting.await(last)).isEqualTo(NOTHING);
    }

    /** Fails if {@code Content.read} does not look beside the arguments, or SEND or PUBLISH has another number. */
    @Test
    @DisplayName("SEND and PUBLISH: headers beside the call")
    void sent() {
      open();
      for (int procedure : new int[] {2, 3}) {
        assertThat(Waiting.await(call(procedure, ADDRESS + "00000001 " + NO_HEADERS + HELLO, Map.of("kk", "v"))))
            .isEqualTo(NOTHING);
        Message<Object> message = Waiting.next(delivered);
        assertThat(message.isSend()).isEqualTo(procedure == 2);
        assertThat(message.headers().get("kk")).isEqualTo("v");
        assertThat(message.replyAddress()).isNull();
      }
    }

    /** Fails if {@code Deliverer.refuse} reads otherwise, or takes anything but a failure. */
    @Test
    @DisplayName("REFUSE: a failure as the answer to a reply; anything else is no message of the program")
    void refused() {
      open();
      BlockingQueue<String> outcome = new LinkedBlockingQueue<>();
      Future<Message<Object>> answer =
          request(Map.of(), "00000000 " + NO_HEADERS + HELLO, outcome).replyAndRequest(null);
      String replied = Waiting.next(outcome);
      String conversation = replied.substring(replied.length() - CONVERSATION.strip().length());
      String[] malformed = {NOTHING, "00000002 00000008 00000000 00000001 7b000000",
          "00000001 00000002 00000007 00000000 00000000"};
      for (String other : malformed) {
        assertThat(Waiting.awaitFailure(call(5, conversation + " " + other, Map.of())))
            .hasMessageContaining("cannot decode the arguments");
      }
      assertThat(Waiting.await(call(5, conversation + " 00000001 00000002 00000007 00000001 00000002 6e6f0000",
          Map.of()))).isEqualTo(NOTHING);
      assertThat(Waiting.awaitFailure(answer)).hasMessage("no");
    }

    /** Fails if {@code BridgeOutcome.write} gives failures another kind, order, or number. */
    @Test
    @DisplayName("A failure has type, code and message; an exception of a service has what helps to debug it too")
    void failures() {
      open();
      BlockingQueue<String> outcome = new LinkedBlockingQueue<>();
      request(Map.of(), "00000000 " + NO_HEADERS + HELLO, outcome).fail(7, "no");
      assertThat(Waiting.next(outcome)).isEqualTo("00000001 00000002 00000007 00000001 00000002 6e6f0000");
      request(Map.of(), "00000000 " + NO_HEADERS + HELLO, outcome).fail(7, null);
      assertThat(Waiting.next(outcome)).isEqualTo("00000001 00000002 00000007 00000000");
      request(Map.of(), "00000000 " + NO_HEADERS + HELLO, outcome).fail(7, "n\ud800");
      assertThat(Waiting.next(outcome)).as("half of a surrogate pair")
          .isEqualTo("00000001 00000002 00000007 00000001 00000002 6e3f0000");
      request(Map.of(), "00000000 " + NO_HEADERS + HELLO, outcome)
          .reply(new ServiceException(8, "no", new JsonObject().put("a", 1)));
      assertThat(Waiting.next(outcome))
          .isEqualTo("00000002 00000008 00000001 00000002 6e6f0000 00000007 7b226122 3a317d00");
    }
  }

  @Nested
  class TheForwarder {

    private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> outcomes = new LinkedBlockingQueue<>();
    private EventBusBridge bridge;

    private void open() {
      bridge = EventBusBridge.create(vertx, new BridgeOptions().forward(BridgePermit.address("desk.in")));
      Waiting.await(bridge.forward(serve(new RpcService() {
        @Override
        public UpperLayerBinding binding() {
          return BridgeProgram.BINDING;
        }

        @Override
        public Future<XdrEncoder> handle(RpcCall call) {
          calls.add(call.procedure() + ": " + words(call.arguments()));
          return Future.succeededFuture(bytes(Waiting.next(outcomes)));
        }
      })));
    }

    private Future<Message<Object>> request(String outcome, DeliveryOptions options) {
      outcomes.add(outcome);
      return vertx.eventBus().request("desk.in", "hello", options);
    }

    @AfterEach
    void closeBridge() {
      Waiting.await(bridge.close());
    }

    /** Fails if {@code Content.write} or {@code BridgeOutcome.read} has another field or order. */
    @Test
    @DisplayName("REQUEST and ANSWER: message, reply that waits, and an answer to it")
    void conversation() {
      open();
      DeliveryOptions options = new DeliveryOptions();
      options.addHeader("kk", "v").getHeaders().add("kk", "w");
      Message<Object> reply = Waiting.await(request("00000000 00000000 00000001 00000002 6b6b0000 00000001 76000000 "
          + HELLO + " " + WAITS, options));
      assertThat(Waiting.next(calls)).isEqualTo("1: " + ADDRESS + "00000001 " + TWO_VALUES + HELLO);
      assertThat(reply.body()).isEqualTo("hello");
      assertThat(reply.headers().get("kk")).isEqualTo("v");
      outcomes.add(NOTHING);
      reply.reply("hello");
      assertThat(Waiting.next(calls)).isEqualTo("4: " + CONVERSATION + "00000000 00000000 " + NO_HEADERS + HELLO);
    }

    /** Fails if {@code Content.write} says otherwise where the headers are, or a procedure has another number. */
    @Test
    @DisplayName("SEND and PUBLISH: headers beside the call")
    void sent() {
      open();
      outcomes.add(NOTHING);
      vertx.eventBus().send("desk.in", "hello", new DeliveryOptions().addHeader("kk", "v"));
      assertThat(Waiting.next(calls)).isEqualTo("2: " + ADDRESS + "00000001 " + NO_HEADERS + HELLO);
      outcomes.add(NOTHING);
      vertx.eventBus().publish("desk.in", "hello");
      assertThat(Waiting.next(calls)).isEqualTo("3: " + ADDRESS + "00000001 " + NO_HEADERS + HELLO);
    }

    /** Fails if {@code BridgeOutcome.read} takes failures of another kind, order, or number. */
    @Test
    @DisplayName("A failure and an exception of a service are what they were")
    void failures() {
      open();
      assertThat(Waiting.awaitFailure(request("00000001 00000002 00000007 00000001 00000002 6e6f0000",
          new DeliveryOptions()))).isInstanceOfSatisfying(ReplyException.class, e -> {
            assertThat(e.failureType()).isEqualTo(ReplyFailure.RECIPIENT_FAILURE);
            assertThat(e.failureCode()).isEqualTo(7);
            assertThat(e).hasMessageContaining("no");
          });
      assertThat(Waiting.awaitFailure(request(
          "00000002 00000008 00000001 00000002 6e6f0000 00000007 7b226122 3a317d00", new DeliveryOptions())))
          .isInstanceOfSatisfying(ServiceException.class, e -> {
            assertThat(e.failureCode()).isEqualTo(8);
            assertThat(e.getDebugInfo()).isEqualTo(new JsonObject().put("a", 1));
          });
    }
  }
}
