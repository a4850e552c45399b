// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One cancellation and many calls: of which it knows, who hears, of both directions, from any thread. */
class SharedCancellationTest {

  private final BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
  private final Cancellation cancellation = Cancellation.create();
  private final CallOptions options = CallOptions.DEFAULT.withCancellation(cancellation);
  private RpcBed bed;

  @BeforeEach
  void open() {
    open(new RpcClientOptions());
  }

  private void open(RpcClientOptions clientOptions) {
    // A server that is not told of cancelled calls, so that their replies are late.
    bed = new RpcBed(new RpcServerOptions().setMetadata(false).setDrainTimeout(Duration.ofMillis(300)),
        clientOptions.setDrainTimeout(Duration.ofMillis(300)));
    bed.server.connectionHandler(accepted::add);
  }

  @AfterEach
  void close() {
    assertThat(CancellationWatch.calls(cancellation)).as("calls that are kept").isZero();
    bed.close();
  }

  private RpcRequest<Void> never(CallOptions with) {
    return RpcRequest.to(EchoService.BINDING, EchoService.NEVER).options(with).build();
  }

  private RpcRequest.Builder<Buffer> echo() {
    return RpcRequest.to(EchoService.BINDING, EchoService.ECHO).options(options)
        .arguments(writer -> writer.opaque(new byte[9])).replyBound(ReplyBound.of(16))
        .results(reader -> Buffer.buffer(reader.opaque(9)));
  }

  private static void assertCancelled(Future<?> call) {
    assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcCancelledException.class);
  }

  // Which calls

  @Test
  @DisplayName("All calls of one cancellation fail, over whatever they went; those of others go on")
  void oneForMany() {
    RpcConnection connection = Waiting.await(bed.channel.connect());
    RpcChannel second = bed.client.channel(bed.address());
    List<Future<Void>> calls = new ArrayList<>();
    for (RpcCaller caller : List.of(bed.channel, connection, second)) {
      calls.add(caller.call(never(options)));
      calls.add(caller.call(never(options)));
    }
    Future<Void> other = bed.channel.call(
        never(CallOptions.DEFAULT.withCancellation(Cancellation.create())));
    Future<Void> plain = bed.channel.call(EchoService.call(EchoService.NEVER));
    Waiting.until(() -> bed.service.never.size() == 8);
    assertThat(CancellationWatch.calls(cancellation)).isEqualTo(6);
    assertThat(cancellation.isCancelled()).isFalse();
    cancellation.cancel();
    cancellation.cancel();
    assertThat(cancellation.isCancelled()).isTrue();
    calls.forEach(SharedCancellationTest::assertCancelled);
    cancellation.cancel();
    bed.service.never.forEach(promise -> promise.complete(XdrEncoder.VOID));
    Waiting.await(other);
    Waiting.await(plain);
  }

  @Test
  @DisplayName("What is called with a cancellation that has cancelled fails at once, and does nothing")
  void cancelledBefore() {
    cancellation.cancel();
    RpcRequest<Buffer> request = echo().arguments(writer -> {
      throw new AssertionError("Encoded");
    }).build();
    Future<Buffer> call = bed.channel.call(request);
    assertThat(call.cause()).isInstanceOf(RpcCancelledException.class)
        .hasMessageContaining("before it was sent");
    assertThat(Waiting.await(bed.channel.snapshot()).connections()).isZero();
    RpcConnection connection = Waiting.await(bed.channel.connect());
    assertThat(connection.call(request).cause()).isInstanceOf(RpcCancelledException.class);
    assertThat(accepted(connection).call(request).cause())
        .isInstanceOf(RpcCancelledException.class);
  }

  @Test
  @DisplayName("A call that is cancelled on its way to the loop is not made, nor sent")
  void onItsWay() {
    RpcConnection connection = Waiting.await(bed.channel.connect());
    Payload argument = Payload.allocate(bed.vertx, 100_000);
    for (RpcCaller caller : List.of(bed.channel, connection)) {
      Cancellation one = Cancellation.create();
      CountDownLatch inLoop = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      // Results are decoded on the loop, which has to wait meanwhile.
      Future<Buffer> holding = caller.call(RpcRequest.to(EchoService.BINDING, EchoService.ECHO)
          .arguments(writer -> writer.opaque(new byte[1])).replyBound(ReplyBound.of(8))
          .results(reader -> {
            inLoop.countDown();
            Waiting.await(go);
            return Buffer.buffer();
          }).build());
      Waiting.await(inLoop);
      Future<Void> call = caller.call(RpcRequest
          .to(EchoService.BINDING, EchoService.ECHO_PLACED)
          .arguments(writer -> writer.dataItem(argument))
          .options(CallOptions.DEFAULT.withCancellation(one)).build());
      one.cancel();
      go.countDown();
      Waiting.await(holding);
      assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcCancelledException.class)
          .hasMessageContaining("before it was sent");
      assertThat(CancellationWatch.calls(one)).isZero();
    }
    assertThat(bed.snapshot().messages().readChunks()).isZero();
    argument.release();
  }

  @Test
  @DisplayName("A call is known until its outcome is told, whatever that is")
  void knownUntilItsOutcome() {
    RpcConnection connection = Waiting.await(bed.channel.connect());
    for (Future<?> call : List.of(bed.channel.call(echo().build()),
        connection.call(echo().build()),
        bed.channel.call(RpcRequest.to(EchoService.BINDING, EchoService.THROW).options(options)
            .build()),
        bed.channel.call(echo().results(reader -> reader.int64() + reader.int64() + reader.int64()
            + reader.int64()).build()),
        bed.channel.call(echo().arguments(writer -> {
          throw new IllegalStateException("on purpose");
        }).build()),
        accepted(connection).call(echo().build()),
        bed.channel.call(never(options.withTimeout(Duration.ofMillis(20)))))) {
      Waiting.outcome(call);
    }
    assertThat(CancellationWatch.calls(cancellation)).isZero();
    Future<Integer> kept = Future.future(promise -> connection.call(echo().build()).onComplete(
        done -> promise.complete(CancellationWatch.calls(cancellation))));
    assertThat(Waiting.await(kept)).as("when it is told").isZero();
    // And so nothing happens to any of them now.
    Future<Buffer> ended = connection.call(echo().build());
    Waiting.await(ended);
    cancellation.cancel();
    assertThat(ended.succeeded()).isTrue();
    Waiting.await(connection.call(EchoService.echo(new byte[1])));
  }

  // Who hears, and where

  @ParameterizedTest
  @EnumSource(value = ThreadingModel.class, names = {"EVENT_LOOP", "WORKER"})
  @DisplayName("The caller hears on the context of its own, whoever cancels")
  void onTheContextOfTheCaller(ThreadingModel model) {
    Promise<Boolean> same = Promise.promise();
    Waiting.await(bed.vertx.deployVerticle(new AbstractVerticle() {
      @Override
      public void start() {
        Context own = Vertx.currentContext();
        bed.channel.call(never(options)).onComplete(result -> same.complete(
            Vertx.currentContext() == own && result.cause() instanceof RpcCancelledException));
      }
    }, new DeploymentOptions().setThreadingModel(model)));
    Waiting.until(() -> !bed.service.never.isEmpty());
    cancellation.cancel();
    assertThat(Waiting.await(same.future())).isTrue();
  }

  @Test
  @DisplayName("Who hears that one call has failed may cancel the others then and there")
  void cancelledByTheFirst() {
    bed.close();
    open(new RpcClientOptions().setForwardCredits(1));
    RpcConnection connection = Waiting.await(bed.channel.connect());
    List<Future<Void>> calls = new ArrayList<>();
    Future<Buffer> begun = connection.call(RpcRequest.to(EchoService.BINDING, EchoService.ECHO)
        .arguments(writer -> writer.opaque(new byte[1])).replyBound(ReplyBound.of(8))
        .results(reader -> {
          for (int i = 0; i < 10; i++) {
            Future<Void> call = connection.call(never(options));
            call.onFailure(any -> cancellation.cancel());
            calls.add(call);
          }
          // Nine of them wait for a credit, and are refused one after the other.
          connection.close();
          return Buffer.buffer();
        }).build());
    Waiting.await(begun);
    for (Future<Void> call : calls) {
      assertThat(Waiting.awaitFailure(call)).isInstanceOfAny(RpcCancelledException.class,
          RpcClosedException.class);
    }
    Waiting.await(connection.closeFuture());
  }

  // The other direction

  /** The server's end of it. */
  private RpcConnection accepted(RpcConnection connection) {
    RpcConnection other = Waiting.next(accepted);
    assertThat(other.remoteAddress()).isEqualTo(connection.localAddress());
    return other;
  }

  @Test
  @DisplayName("R-023: a server gives up calls to its client, on their way, or waiting for its return")
  void reverse() {
    EchoService atClient = new EchoService();
    bed.channel.bind(atClient);
    RpcConnection toClient = accepted(Waiting.await(bed.channel.connect()));
    // The first reply brings credits for more than one.
    Waiting.await(toClient.call(EchoService.echo(new byte[1])));
    List<Future<Void>> calls = List.of(toClient.call(never(options)),
        toClient.peer().call(never(options)));
    Waiting.until(() -> atClient.never.size() == 2);
    cancellation.cancel();
    calls.forEach(SharedCancellationTest::assertCancelled);
    assertThat(Waiting.await(toClient.snapshot()).calls().pending()).isEqualTo(2);
    atClient.never.forEach(promise -> promise.complete(XdrEncoder.VOID));
    Waiting.await(toClient.peer().call(EchoService.echo(new byte[3])));
    assertThat(Waiting.await(toClient.snapshot()).calls().pending()).isZero();
    Waiting.await(bed.client.close());
    Waiting.await(toClient.closeFuture());
    Cancellation waiting = Cancellation.create();
    Future<Void> away = toClient.peer().call(
        never(CallOptions.DEFAULT.withCancellation(waiting)));
    assertThat(CancellationWatch.calls(waiting)).isEqualTo(1);
    waiting.cancel();
    assertCancelled(away);
  }

  // All at once

  @Test
  @DisplayName("R-172: calls of both directions, cancelled at any moment: each ends once, nothing is left")
  void atAnyMoment() {
    Random random = new Random(20);
    bed.channel.bind(new EchoService());
    RpcConnection connection = Waiting.await(bed.channel.connect());
    RpcConnection toClient = accepted(connection);
    long poolBytes = bed.watch.poolBytes();
    int cancelled = 0;
    for (int round = 0; round < 300; round++) {
      Cancellation one = Cancellation.create();
      CallOptions with = CallOptions.DEFAULT.withCancellation(one);
      List<Future<?>> calls = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        RpcCaller caller = i % 2 == 0 ? bed.channel : toClient;
        byte[] bytes = new byte[1 << random.nextInt(17)];
        calls.add(caller.call(RpcRequest.to(EchoService.BINDING, EchoService.ECHO_PLACED)
            .arguments(writer -> writer.dataItem(DataItem.of(bytes))).placedResult(bytes.length)
            .replyBound(ReplyBound.of(4)).options(with)
            .results(reader -> reader.dataItem(bytes.length).length()).build()));
      }
      Waiting.outcome(calls.get(random.nextInt(8)));
      one.cancel();
      for (Future<?> call : calls) {
        Throwable failure = Waiting.outcome(call);
        if (failure != null) {
          assertThat(failure).isInstanceOf(RpcCancelledException.class);
          cancelled++;
        }
      }
      assertThat(CancellationWatch.calls(one)).isZero();
    }
    assertThat(cancelled).isPositive();
    for (RpcConnection end : List.of(connection, toClient)) {
      Waiting.until(() -> Waiting.await(end.snapshot()).calls().pending() == 0);
      assertThat(Waiting.await(end.snapshot()).memory().bytesSetAside()).isZero();
      assertThat(Waiting.await(end.snapshot()).memory().exposures()).isZero();
    }
    // The server frees memory of a reply when its Send has completed, which may be after the reply.
    Waiting.until(() -> bed.watch.poolBytes() == poolBytes);
    assertThat(Waiting.await(bed.channel.connect())).isSameAs(connection);
  }
}
