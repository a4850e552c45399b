// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.service.fixture.Errands;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages as somebody else may write them, at the address of a service. */
class OddMessagesTest {

  private static final String ADDRESS = "errands";

  private final Vertx vertx = Vertx.vertx();
  private final ErrandBoy boy = new ErrandBoy();
  private RpcRegistration registration;

  @BeforeEach
  void register() {
    registration = Waiting.await(new RpcServiceBinder(vertx).setAddress(ADDRESS).setTimeout(Duration.ofSeconds(5))
        .register(Errands.class, boy));
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private static DeliveryOptions call(int procedure) {
    return new DeliveryOptions().addHeader("rpcrdma:program", Integer.toString(0x20060018))
        .addHeader("rpcrdma:version", "1").addHeader("rpcrdma:procedure", Integer.toString(procedure));
  }

  private static Buffer text(String text) {
    return Buffer.buffer(new XdrWriter().string(text).toByteArray());
  }

  private Message<Object> request(Object body, DeliveryOptions options) {
    return Waiting.await(vertx.eventBus().request(ADDRESS, body, options));
  }

  private static String results(Message<Object> reply) {
    assertThat(reply.headers().get("rpcrdma:accept-stat")).isEqualTo("0");
    XdrReader reader = new XdrReader(ByteBuffer.wrap(((Buffer) reply.body()).getBytes()));
    assertThat(reader.int32()).isZero();
    String text = reader.string(1000);
    reader.end();
    return text;
  }

  private static void assertStatus(Message<Object> reply, AcceptStatus status) {
    assertThat(reply.headers().get("rpcrdma:accept-stat")).isEqualTo(Integer.toString(status.ordinal()));
    assertThat(((Buffer) reply.body()).length()).isZero();
  }

  private void assertNoCall(Object body, DeliveryOptions options, String message) {
    assertThat(Waiting.awaitFailure(vertx.eventBus().request(ADDRESS, body, options)))
        .isInstanceOfSatisfying(ReplyException.class, e -> {
          assertThat(e.failureType()).isEqualTo(ReplyFailure.RECIPIENT_FAILURE);
          assertThat(e.failureCode()).isEqualTo(400);
          assertThat(e).hasMessageContaining(message);
        });
  }

  @Test
  @DisplayName("Three numbers make a call")
  void leastCall() {
    assertThat(results(request(text("a"), call(1)))).isEqualTo("a");
  }

  @Test
  @DisplayName("The bytes of a call and its reply are those of the arguments and results")
  void bytes() {
    Message<Object> reply = request(Buffer.buffer(new byte[] {0, 0, 0, 2, 'h', 'i', 0, 0}), call(1));
    assertThat(((Buffer) reply.body()).getBytes())
        .containsExactly(0, 0, 0, 0, 0, 0, 0, 2, 'h', 'i', 0, 0);
  }

  @Test
  @DisplayName("A body that is no Buffer is GARBAGE_ARGS")
  void otherBodies() {
    for (Object body : new Object[] {"text", new JsonObject(), 1, null, new byte[] {0, 0, 0, 0}}) {
      assertStatus(request(body, call(1)), AcceptStatus.GARBAGE_ARGS);
    }
    assertStatus(request("text", call(1).addHeader("rpcrdma:large", "2000000")), AcceptStatus.GARBAGE_ARGS);
  }

  @Test
  @DisplayName("A message without its numbers is no call")
  void missingNumbers() {
    assertNoCall(text("a"), new DeliveryOptions(), "rpcrdma:program of a call is an unsigned number");
    for (String header : new String[] {"rpcrdma:program", "rpcrdma:version", "rpcrdma:procedure"}) {
      MultiMap headers = call(1).getHeaders().remove(header);
      assertNoCall(text("a"), new DeliveryOptions().setHeaders(headers), header);
    }
    assertNoCall(new JsonObject(), new DeliveryOptions().addHeader("action", "echo"), "rpcrdma:program");
  }

  @ParameterizedTest
  @CsvSource({"rpcrdma:program,-1", "rpcrdma:version,4294967296", "rpcrdma:procedure,one", "rpcrdma:xid,-7",
      "rpcrdma:millis,soon", "rpcrdma:callbacks,orders", "rpcrdma:credential,1", "rpcrdma:credential,1 ?",
      "rpcrdma:credential,-1 AAAA"})
  @DisplayName("Numbers and addresses that are none make no call")
  void wrongHeaders(String header, String value) {
    MultiMap headers = call(1).getHeaders().set(header, value);
    assertNoCall(text("a"), new DeliveryOptions().setHeaders(headers), header);
  }

  @Test
  @DisplayName("Unsigned numbers go up to 32 bits, and what is not served is refused")
  void notServed() {
    MultiMap program = call(1).getHeaders().set("rpcrdma:program", "4294967295");
    assertStatus(request(text("a"), new DeliveryOptions().setHeaders(program)), AcceptStatus.PROG_UNAVAIL);
    MultiMap version = call(1).getHeaders().set("rpcrdma:version", "4294967295");
    Message<Object> mismatch = request(text("a"), new DeliveryOptions().setHeaders(version));
    assertStatus(mismatch, AcceptStatus.PROG_MISMATCH);
    assertThat(mismatch.headers().get("rpcrdma:low")).isEqualTo("1");
    assertThat(mismatch.headers().get("rpcrdma:high")).isEqualTo("1");
    assertStatus(request(text("a"), call(99)), AcceptStatus.PROC_UNAVAIL);
    assertStatus(request(Buffer.buffer(), call(0)), AcceptStatus.SUCCESS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-5", "-9223372036854775808"})
  @DisplayName("A call that nobody waits for is not executed")
  void expired(String millis) {
    assertStatus(request(Buffer.buffer(), call(3).addHeader("rpcrdma:millis", millis)), AcceptStatus.SYSTEM_ERR);
    assertThat(boy.heard).isEmpty();
  }

  @Test
  @DisplayName("A message that asks for no reply is not executed")
  void oneWay() {
    vertx.eventBus().send(ADDRESS, Buffer.buffer(), call(3));
    vertx.eventBus().publish(ADDRESS, Buffer.buffer(), call(3));
    // Comes behind both.
    assertThat(results(request(text("a"), call(1)))).isEqualTo("a");
    assertThat(boy.heard).isEmpty();
  }

  @Test
  @DisplayName("Services see headers of the application, and no other")
  void headers() {
    DeliveryOptions options = call(6).addHeader("Tenant", "blue").addHeader("__vertx.secret", "s")
        .addHeader("__VERTX.x", "s").addHeader("RPCRDMA:other", "o").addHeader("auth-token", "t");
    assertThat(results(request(text("headers"), options))).isEqualTo("{auth-token=t, tenant=blue}");
    // No transport but RDMA bounds them.
    DeliveryOptions many = call(6).addHeader("auth-token", "t".repeat(5000));
    assertThat(results(request(text("user"), many))).isEqualTo("nobody");
  }

  @Test
  @DisplayName("A credential that nobody takes is refused")
  void credentials() {
    Message<Object> unknown = request(text("a"), call(1).addHeader("rpcrdma:credential", "77 AAAA"));
    assertThat(unknown.headers().get("rpcrdma:auth-stat"))
        .isEqualTo(Integer.toString(AuthStatus.REJECTEDCRED.ordinal()));
    Message<Object> broken = request(text("a"), call(1).addHeader("rpcrdma:credential", "1 AAAA"));
    assertThat(broken.headers().get("rpcrdma:auth-stat")).isEqualTo(Integer.toString(AuthStatus.BADCRED.ordinal()));
    assertThat(registration.calls()).isZero();
  }

  @Test
  @DisplayName("Who gives up a call has to name it")
  void cancelling() {
    vertx.eventBus().publish("rpcrdma:cancel:" + ADDRESS, null);
    vertx.eventBus().publish("rpcrdma:cancel:" + ADDRESS, "text",
        new DeliveryOptions().addHeader("rpcrdma:channel", "c").addHeader("rpcrdma:xid", "5"));
    DeliveryOptions named = call(3).addHeader("rpcrdma:channel", "c").addHeader("rpcrdma:xid", "4294967295");
    var call = vertx.eventBus().request(ADDRESS, Buffer.buffer(), named);
    assertThat(Waiting.next(boy.heard)).isEqualTo("begun");
    vertx.eventBus().publish("rpcrdma:cancel:" + ADDRESS, null,
        new DeliveryOptions().addHeader("rpcrdma:channel", "c").addHeader("rpcrdma:xid", "4294967295"));
    assertThat(Waiting.next(boy.heard)).isEqualTo("abandoned");
    assertStatus(Waiting.await(call), AcceptStatus.SYSTEM_ERR);
    Waiting.until(() -> registration.calls() == 0);
  }

  @Test
  @DisplayName("A body may be larger than it says")
  void largeUnannounced() {
    String text = "x".repeat(2 * 1024 * 1024);
    Message<Object> reply = request(text(text), call(1));
    assertThat(reply.headers().get("rpcrdma:large")).isEqualTo(Integer.toString(text.length() + 8));
  }

  /** Fails if {@code BusEndpoint.add} has calls without the optional headers, or with the same, replace each other. */
  @Test
  @DisplayName("A shutdown gives up all calls, also those that do not say who calls, or say the same")
  void shutdown() {
    RpcRegistration patient = Waiting.await(new RpcServiceBinder(vertx).setAddress("patient")
        .setTimeout(Duration.ofMinutes(5)).register(Errands.class, boy));
    List<Future<Message<Object>>> all = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      all.add(vertx.eventBus().request("patient", Buffer.buffer(), call(3)));
      all.add(vertx.eventBus().request("patient", Buffer.buffer(),
          call(3).addHeader("rpcrdma:channel", "me").addHeader("rpcrdma:xid", "7")));
    }
    for (int i = 0; i < 4; i++) {
      assertThat(Waiting.next(boy.heard)).isEqualTo("begun");
    }
    Waiting.await(patient.shutdown(Duration.ofMillis(1)));
    all.forEach(each -> assertStatus(Waiting.await(each), AcceptStatus.SYSTEM_ERR));
  }
}
