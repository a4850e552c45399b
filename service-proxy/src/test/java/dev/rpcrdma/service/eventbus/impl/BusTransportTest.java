// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus.impl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.spi.TransportCaller;
import dev.rpcrdma.api.spi.TransportOptions;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.tracing.TracingPolicy;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What calls wait for before they are sent. */
class BusTransportTest {

  private static final String ADDRESS = "anywhere";

  private final Vertx vertx = Vertx.vertx();
  private final BlockingQueue<Message<Object>> messages = new LinkedBlockingQueue<>();
  private final BusTransport transport = new BusTransport(vertx, ADDRESS, "me", false);
  private final TransportCaller caller = TransportCaller.create(vertx, transport,
      new TransportOptions(Duration.ofSeconds(30), OpaqueAuth.NONE, TracingPolicy.PROPAGATE, 10));

  @BeforeEach
  void listen() {
    transport.on(caller);
    Waiting.await(vertx.eventBus().<Object>consumer(ADDRESS, message -> {
      messages.add(message);
      message.reply(Buffer.buffer(), new DeliveryOptions().addHeader(Names.ACCEPT_STAT, "0"));
    }).completion());
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private Future<Void> call() {
    return caller.call(RpcRequest.to(0x20060098, 1, 0).build());
  }

  @Test
  @DisplayName("Calls are sent when what they call back can be called")
  void callbacksFirst() {
    Promise<Void> served = Promise.promise();
    transport.callbacks("rpcrdma:callbacks:me", served::future);
    Future<Void> call = call();
    Promise<Void> turn = Promise.promise();
    // On the loop of the calls, behind what would have sent it.
    caller.context().runOnContext(first -> caller.context().runOnContext(then -> turn.complete()));
    Waiting.await(turn.future());
    assertThat(messages).isEmpty();
    served.complete();
    Waiting.await(call);
    assertThat(Waiting.next(messages).headers().get(Names.CALLBACKS)).isEqualTo("rpcrdma:callbacks:me");
  }

  @Test
  @DisplayName("Calls fail if what they call back cannot be served")
  void callbacksFail() {
    transport.callbacks("rpcrdma:callbacks:me", () -> Future.failedFuture("on purpose"));
    assertThat(Waiting.awaitFailure(call())).isInstanceOfSatisfying(RpcConnectException.class,
        e -> assertThat(e.maybeExecuted()).isFalse());
    assertThat(messages).isEmpty();
  }
}
