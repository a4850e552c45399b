// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.impl.connection.RawServer;
import dev.rpcrdma.protocol.control.ControlProcedures;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A client with a token, whose server refuses calls that show an earlier handle when there is another one. */
class LateRefusalsTest {

  private static final int FIRST = 1;
  private static final int SECOND = 2;
  private static final String SUCCESS = "00000000 00000000 00000000 00000000";

  private final Vertx vertx = Vertx.vertx();
  private final VerbsBed raw = new VerbsBed(VerbsProviders.named("siw"), DeviceOptions.DEFAULT);
  private final RawServer server = new RawServer(raw, 20);
  private final AtomicInteger asked = new AtomicInteger();
  private volatile Future<String> source = Future.succeededFuture("alice");

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
    raw.close();
  }

  /** Fails if {@code TokenHandle.outdated} does not ask which handle a call has shown. */
  @Test
  @DisplayName("A late refusal of an earlier handle has its call sent again, and no token exchanged")
  void earlierHandle() {
    RpcConnection connection = connect();
    Future<?> first = connection.call(EchoService.echo(new byte[1]));
    Future<?> second = connection.call(EchoService.echo(new byte[1]));
    refuseBoth(FIRST, SECOND);
    Waiting.await(first);
    Waiting.await(second);
  }

  /** Fails if the transmission that waited for another handle does not ask either. */
  @Test
  @DisplayName("The same, of a call that has waited for its handle")
  void ofCallThatWaited() {
    RpcConnection connection = connect();
    Future<?> first = connection.call(EchoService.echo(new byte[1]));
    String call = nextCall(FIRST);
    refuse(call);
    String exchange = server.next();
    Future<?> waits = connection.call(EchoService.echo(new byte[1]));
    Future<?> alsoWaits = connection.call(EchoService.echo(new byte[1]));
    Waiting.await(connection.snapshot());
    give(exchange, SECOND);
    answer(nextCall(SECOND));
    Waiting.await(first);
    refuseBoth(SECOND, FIRST);
    Waiting.await(waits);
    Waiting.await(alsoWaits);
  }

  /** Fails if {@code TokenHandle.protection} counts the calls that wait, and not what the source is asked for. */
  @Test
  @DisplayName("A slow source is asked once for calls that are refused, also if each of them is given up meanwhile")
  void slowSource() {
    RpcConnection connection = connect();
    Promise<String> slow = Promise.promise();
    source = slow.future();
    for (int i = 0; i < 5; i++) {
      Cancellation cancellation = Cancellation.create();
      Future<?> call = connection.call(echo(CallOptions.DEFAULT.withCancellation(cancellation)));
      if (i == 0) {
        refuse(nextCall(FIRST));
      }
      Waiting.until(() -> asked.get() > 1);
      Waiting.await(connection.snapshot());
      cancellation.cancel();
      Waiting.awaitFailure(call);
    }
    Future<?> last = connection.call(EchoService.echo(new byte[1]));
    Waiting.await(connection.snapshot());
    assertThat(asked).as("once to connect, and once more").hasValue(2);
    slow.complete("alice");
    exchange(SECOND);
    answer(nextCall(SECOND));
    Waiting.await(last);
  }

  /** Fails if {@code TokenHandle.notGiven} leaves it at one exchange for a connection. */
  @Test
  @DisplayName("A source that has failed is asked again for the next call")
  void failedSource() {
    RpcConnection connection = connect();
    source = Future.failedFuture("Not now");
    Future<?> first = connection.call(EchoService.echo(new byte[1]));
    refuse(nextCall(FIRST));
    assertThat(Waiting.awaitFailure(first)).hasMessageContaining("Not now");
    source = Future.succeededFuture("alice");
    Future<?> second = connection.call(EchoService.echo(new byte[1]));
    exchange(SECOND);
    answer(nextCall(SECOND));
    Waiting.await(second);
  }

  private static RpcRequest<?> echo(CallOptions options) {
    return EchoService.echo(new byte[1]).withOptions(options);
  }

  private RpcConnection connect() {
    Future<RpcConnection> connecting = RpcClient.builder(vertx)
        .with(new RpcClientOptions().setProvider("siw").setDrainTimeout(Duration.ofMillis(300)))
        .withToken(() -> {
          asked.incrementAndGet();
          return source;
        }).build().channel(server.address).connect();
    server.peer.awaitEstablished();
    String announcement = server.next();
    send(announcement, SUCCESS);
    exchange(FIRST);
    return Waiting.await(connecting);
  }

  /** Refuses two calls with a handle, the second one when there is another handle, and answers both with that. */
  private void refuseBoth(int handle, int next) {
    String call = nextCall(handle);
    String slow = nextCall(handle);
    refuse(call);
    exchange(next);
    String again = nextCall(next);
    refuse(slow);
    answer(nextCall(next));
    answer(again);
  }

  /** Gives a handle for a token. */
  private void exchange(int handle) {
    give(server.next(), handle);
  }

  private void give(String call, int handle) {
    assertThat(call).contains("%08x 00000001 %08x".formatted(ControlProcedures.PROGRAM, ControlProcedures.EXCHANGE));
    send(call, SUCCESS + handle(handle) + "00000000");
  }

  private static String handle(int number) {
    return "%08x".formatted(number).repeat(4);
  }

  private String nextCall(int handle) {
    String call = server.next();
    assertThat(call.replace(" ", "")).contains(handle(handle));
    return call;
  }

  private void refuse(String call) {
    send(call, "00000001 00000001 00000002");
  }

  private void answer(String call) {
    send(call, SUCCESS + "00000001 00000000");
  }

  /** Sends a reply, which grants eight credits. */
  private void send(String call, String behindType) {
    String xid = call.substring(0, 8);
    server.send(xid + "00000001 00000008 00000000 00000000 00000000 00000000" + xid + "00000001" + behindType);
  }
}
