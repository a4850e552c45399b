// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that have lent memory, and end without a reply beside calls that go on. */
class LentMemoryTest {

  private static final int LENGTH = 2 << 20;
  private static final int LOOPS = 8;
  private static final int GIVEN_UP = 20;
  private static final int CREDITS = 16;

  private final AtomicInteger connections = new AtomicInteger();
  private RpcBed bed;

  @BeforeEach
  void open() {
    bed = new RpcBed(new RpcServerOptions(), new RpcClientOptions().setForwardCredits(CREDITS));
    bed.server.connectionHandler(connection -> connections.incrementAndGet());
  }

  @AfterEach
  void close() {
    bed.close();
  }

  /** Calls again and again, until it is told to stop. */
  private Future<Integer> loop(Payload data, AtomicInteger left, int calls) {
    if (left.get() == 0) {
      return Future.succeededFuture(calls);
    }
    return bed.channel.call(EchoService.echoPlaced(data)).compose(echoed -> loop(data, left, calls + 1));
  }

  private RpcException giveUp(boolean cancelled, Payload target) {
    Cancellation cancellation = Cancellation.create();
    CallOptions options = CallOptions.DEFAULT.withCancellation(cancellation)
        .withTimeout(cancelled ? Duration.ofMinutes(1) : Duration.ofMillis(30));
    int before = bed.service.never.size();
    Future<Void> call = bed.channel.call(RpcRequest.to(EchoService.BINDING, EchoService.NEVER).placedResult(target)
        .options(options).build());
    if (cancelled) {
      Waiting.until(() -> bed.service.never.size() > before);
      cancellation.cancel();
    }
    return (RpcException) Waiting.awaitFailure(call);
  }

  /** Fails if {@code AbandonedCall} does not wait, or if {@code ReplyTransmission} names tags of late calls. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("R-326: calls that lend memory and get no reply cost neither the connection nor any other call")
  void innocentCalls(boolean cancelled) {
    Waiting.await(bed.channel.connect());
    List<Payload> lent = Stream.generate(() -> Payload.allocate(bed.vertx, LENGTH)).limit(LOOPS).toList();
    AtomicInteger left = new AtomicInteger(GIVEN_UP);
    List<Future<Integer>> loops = new ArrayList<>();
    lent.forEach(data -> loops.add(loop(data, left, 0)));
    Payload target = Payload.allocate(bed.vertx, LENGTH);
    while (left.get() > 0) {
      assertThat(giveUp(cancelled, target))
          .isInstanceOf(cancelled ? RpcCancelledException.class : RpcTimeoutException.class);
      left.decrementAndGet();
    }
    loops.forEach(loop -> assertThat(Waiting.await(loop)).isPositive());
    assertThat(connections).hasValue(1);
    lent.forEach(Payload::release);
    target.release();
  }

  /** Fails if {@code ControlCalls} sends one GIVE_UP for each call and no more than there are credits. */
  @Test
  @DisplayName("R-023: as many calls cancelled as there are credits, twice, leave all credits free")
  void allCreditsFree() {
    Waiting.await(bed.channel.call(EchoService.echo(new byte[1])));
    for (int round = 0; round < 3; round++) {
      int before = bed.service.never.size();
      Cancellation cancellation = Cancellation.create();
      List<Future<Void>> calls = Stream.generate(() -> bed.channel.call(
          RpcRequest.to(EchoService.BINDING, EchoService.NEVER)
              .options(CallOptions.DEFAULT.withCancellation(cancellation)).build())).limit(CREDITS).toList();
      Waiting.until(() -> bed.service.never.size() == before + CREDITS);
      cancellation.cancel();
      calls.forEach(call -> assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcCancelledException.class));
    }
    assertThat(Waiting.await(bed.channel.call(EchoService.echo(new byte[7]))).length()).isEqualTo(7);
    Waiting.until(() -> bed.snapshot().calls().pending() == 0);
    assertThat(connections).hasValue(1);
  }

  @Test
  @DisplayName("R-326: arguments that are lent and being pulled are the caller's when he hears")
  void whilePulled() {
    Waiting.await(bed.channel.connect());
    for (int round = 0; round < GIVEN_UP; round++) {
      Payload data = Payload.allocate(bed.vertx, LENGTH);
      Cancellation cancellation = Cancellation.create();
      Future<Buffer> call = bed.channel.call(RpcRequest.to(EchoService.BINDING, EchoService.ECHO_PLACED)
          .arguments(writer -> writer.dataItem(data)).placedResult(LENGTH)
          .results(reader -> copy(reader.dataItem(LENGTH)))
          .options(CallOptions.DEFAULT.withCancellation(cancellation)).build());
      // In a turn of the call's loop that comes after it was sent.
      Waiting.await(bed.channel.call(EchoService.echo(new byte[1])));
      cancellation.cancel();
      Waiting.await(call.mapEmpty().otherwiseEmpty());
      data.release();
    }
    assertThat(connections).hasValue(1);
  }

  private static Buffer copy(DataItem item) {
    return Buffer.buffer(item.toByteArray());
  }
}
