// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcConnectionLostException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.api.RpcTransportException;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.CuttingProxy;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls without a reply: time-outs, lost connections, closing. Nothing hangs and nothing leaks. */
class GivingUpTest {

  private static final Duration SHORT = Duration.ofMillis(100);

  private RpcBed bed;

  @BeforeEach
  void open() {
    bed = new RpcBed(new RpcServerOptions().setServiceTimeout(Duration.ofSeconds(5))
        .setDrainTimeout(Duration.ofMillis(300)),
        new RpcClientOptions().setDrainTimeout(Duration.ofMillis(300)).setMaxQueuedCalls(100));
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private RpcRequest<Void> never(Duration timeout) {
    return RpcRequest.to(EchoService.BINDING, EchoService.NEVER)
        .options(CallOptions.DEFAULT.withTimeout(timeout)).build();
  }

  @Test
  @DisplayName("R-023: a call without a reply times out, and its credit waits for the late reply")
  void timeout() {
    bed.close();
    bed = new RpcBed(new RpcServerOptions(), new RpcClientOptions().setForwardCredits(1).setMetadata(false));
    Throwable failure = Waiting.awaitFailure(bed.channel.call(never(SHORT)));
    assertThat(failure).isInstanceOf(RpcTimeoutException.class);
    // The one credit is still taken: a second call cannot go out.
    assertThat(Waiting.awaitFailure(bed.channel.call(never(SHORT))))
        .isInstanceOf(RpcTimeoutException.class);
    assertThat(bed.snapshot().calls().pending()).isEqualTo(1);
    bed.service.never.forEach(promise -> promise.complete(XdrEncoder.VOID));
    assertThat(Waiting.await(bed.channel.call(EchoService.echo(new byte[5]))).length())
        .isEqualTo(5);
    assertThat(bed.snapshot().calls().pending()).isZero();
  }

  @Test
  @DisplayName("R-172: memory of a call that timed out is set aside until the late reply")
  void setAside() {
    bed.close();
    bed = new RpcBed(new RpcServerOptions(), new RpcClientOptions().setMetadata(false));
    Waiting.await(bed.channel.call(EchoService.echo(new byte[5])));
    long before = bed.watch.poolBytes();
    Throwable failure = Waiting.awaitFailure(bed.channel.call(RpcRequest
        .to(EchoService.BINDING, EchoService.NEVER)
        .placedResult(100_000).options(CallOptions.DEFAULT.withTimeout(SHORT)).build()));
    assertThat(failure).isInstanceOf(RpcTimeoutException.class);
    assertThat(bed.snapshot().memory().bytesSetAside()).isEqualTo(100_000);
    assertThat(bed.snapshot().memory().exposures()).isEqualTo(1);
    bed.service.never.forEach(promise -> promise.complete(XdrEncoder.VOID));
    Waiting.await(bed.channel.call(EchoService.echo(new byte[5])));
    assertThat(bed.snapshot().memory().bytesSetAside()).isZero();
    assertThat(bed.snapshot().memory().exposures()).isZero();
    assertThat(bed.watch.poolBytes()).isEqualTo(before);
  }

  @Test
  @DisplayName("A server that knows for how long its caller waits answers then: credit and memory are soon free")
  void deadline() {
    Waiting.await(bed.channel.call(EchoService.echo(new byte[5])));
    long before = bed.watch.poolBytes();
    for (int i = 0; i < 3; i++) {
      assertThat(Waiting.awaitFailure(bed.channel.call(RpcRequest.to(EchoService.BINDING, EchoService.NEVER)
          .placedResult(100_000).options(CallOptions.DEFAULT.withTimeout(SHORT)).build())))
          .isInstanceOf(RpcTimeoutException.class);
    }
    Waiting.until(() -> bed.snapshot().calls().pending() == 0);
    assertThat(bed.snapshot().memory().bytesSetAside()).isZero();
    assertThat(bed.snapshot().memory().exposures()).isZero();
    assertThat(bed.watch.poolBytes()).isEqualTo(before);
  }

  @Test
  @DisplayName("R-326: memory of the application is revoked before it hears of the time-out")
  void callersMemory() {
    Payload target = Payload.allocate(bed.vertx, 100_000);
    Throwable failure = Waiting.awaitFailure(bed.channel.call(RpcRequest
        .to(EchoService.BINDING, EchoService.NEVER).placedResult(target)
        .options(CallOptions.DEFAULT.withTimeout(SHORT)).build()));
    assertThat(failure).isInstanceOf(RpcTimeoutException.class);
    assertThat(bed.snapshot().memory().exposures()).isZero();
    target.release();
  }

  @Test
  void aServiceThatTakesTooLongIsAnsweredForIt() {
    bed.close();
    bed = new RpcBed(new RpcServerOptions().setServiceTimeout(SHORT), new RpcClientOptions());
    Throwable failure = Waiting.awaitFailure(bed.channel.call(never(Duration.ofSeconds(10))));
    assertThat(failure).isInstanceOf(RpcRejectedException.class);
    // Its own answer comes too late and does no harm.
    bed.service.never.forEach(promise -> promise.complete(XdrEncoder.VOID));
    Waiting.await(bed.channel.call(EchoService.echo(new byte[5])));
  }

  @Test
  void moreCallsThanTheQueueTakesFailAtOnce() {
    List<Future<Void>> calls = new ArrayList<>();
    for (int i = 0; i < 102; i++) {
      calls.add(bed.channel.call(never(Duration.ofSeconds(10))));
    }
    assertThat(Waiting.awaitFailure(calls.get(101))).isInstanceOf(RpcTransportException.class)
        .hasMessageContaining("calls wait for");
    Waiting.await(bed.client.close());
    for (Future<Void> call : calls) {
      Waiting.awaitFailure(call);
    }
  }

  @Test
  @DisplayName("R-047 R-159: a call outlives its connection, and is executed once")
  void lostConnection() {
    CuttingProxy proxy = new CuttingProxy(bed.vertx, bed.address());
    Waiting.await(proxy.start());
    RpcChannel channel = bed.client.channel(proxy.address());
    RpcConnection first = Waiting.await(channel.connect());
    Future<Void> pending = channel.call(RpcRequest
        .to(EchoService.BINDING, EchoService.NEVER).placedResult(100_000).build());
    Waiting.until(() -> !bed.service.never.isEmpty());
    proxy.cut();
    Waiting.await(first.closeFuture());
    Buffer echo = Waiting.await(channel.call(EchoService.echo(new byte[7])));
    assertThat(echo.length()).isEqualTo(7);
    assertThat(Waiting.await(channel.connect())).isNotSameAs(first);
    assertThat(pending.isComplete()).isFalse();
    assertThat(bed.service.never).hasSize(1);
    bed.service.never.forEach(promise -> promise.complete(XdrEncoder.VOID));
    Waiting.await(pending);
    assertThat(Waiting.await(channel.snapshot()).replays()).isEqualTo(1);
  }

  @Test
  void closingLetsCallsInFlightFinish() {
    bed.close();
    bed = new RpcBed(new RpcServerOptions(),
        new RpcClientOptions().setDrainTimeout(Duration.ofSeconds(Waiting.DEADLINE.toSeconds())));
    Waiting.await(bed.channel.call(EchoService.echo(new byte[5])));
    byte[] large = new byte[3_000_000];
    List<Future<Buffer>> calls = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      calls.add(bed.channel.call(EchoService.echoPlaced(DataItem.of(large))));
    }
    RpcConnection connection = Waiting.await(bed.channel.connect());
    Waiting.await(connection.close());
    calls.forEach(call -> assertThat(Waiting.await(call).length()).isEqualTo(large.length));
    assertThat(Waiting.awaitFailure(connection.call(EchoService.echo(new byte[1]))))
        .isInstanceOf(RpcClosedException.class);
  }

  @Test
  void closingEndsCallsThatWillNotFinish() {
    RpcConnection connection = Waiting.await(bed.channel.connect());
    Future<Void> pending = connection.call(never(Duration.ofSeconds(60)));
    Waiting.await(connection.close());
    assertThat(Waiting.awaitFailure(pending)).isInstanceOf(RpcConnectionLostException.class)
        .hasMessageContaining("closed before all calls had ended");
    // A call of the channel has lost its connection too, when the channel itself is closed.
    Future<Void> other = bed.channel.call(never(Duration.ofSeconds(60)));
    Waiting.await(bed.channel.connect());
    Waiting.await(bed.channel.close());
    assertThat(Waiting.awaitFailure(other)).isInstanceOfAny(RpcConnectionLostException.class,
        RpcClosedException.class);
  }

  @Test
  void closedThingsRefuseTypedAndCloseAgain() {
    RpcConnection connection = Waiting.await(bed.channel.connect());
    Waiting.await(bed.client.close());
    Waiting.await(bed.client.close());
    Waiting.await(bed.channel.close());
    Waiting.await(connection.close());
    assertThat(Waiting.awaitFailure(bed.channel.call(EchoService.echo(new byte[1]))))
        .isInstanceOf(RpcClosedException.class);
    Waiting.await(bed.server.close());
    Waiting.await(bed.server.close());
    assertThat(Waiting.awaitFailure(bed.server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST))))
        .isInstanceOf(RpcClosedException.class);
  }

  /** Fails if {@code AbandonedCall} keeps the call whose place it takes, since that leads to the caller. */
  @Test
  @DisplayName("R-023: a call that was given up keeps its credit at a peer that stalls, and nothing of its caller")
  void nothingOfTheCallerIsKept() throws InterruptedException {
    CuttingProxy proxy = new CuttingProxy(bed.vertx, bed.address());
    Waiting.await(proxy.start());
    RpcChannel channel = bed.client.channel(proxy.address());
    RpcConnection connection = Waiting.await(channel.connect());
    Waiting.await(channel.call(EchoService.echo(new byte[5])));
    proxy.stall();
    ReferenceQueue<Object> collected = new ReferenceQueue<>();
    assertCollected(givenUpFor(channel, collected), collected);
    assertThat(Waiting.await(connection.snapshot()).calls().pending()).as("it has no reply").isEqualTo(1);
    proxy.cut();
  }

  /** Fails if {@code ChannelCall.outcome} keeps the call that it has told, though it is used again. */
  @Test
  @DisplayName("Of a call that was answered its channel keeps nothing of the caller")
  void nothingOfAnAnsweredCallerIsKept() throws InterruptedException {
    ReferenceQueue<Object> collected = new ReferenceQueue<>();
    assertCollected(answeredFor(collected), collected);
  }

  private WeakReference<Object> answeredFor(ReferenceQueue<Object> queue) {
    Object callers = new Object();
    assertThat(Waiting.await(bed.channel.call(RpcRequest.to(EchoService.BINDING, EchoService.ECHO)
        .arguments(writer -> writer.opaque(new byte[4])).results(results -> {
          results.opaque(8);
          return callers;
        }).build()))).isSameAs(callers);
    return new WeakReference<>(callers, queue);
  }

  private static void assertCollected(WeakReference<Object> caller, ReferenceQueue<Object> collected)
      throws InterruptedException {
    Reference<?> first = null;
    for (int i = 0; i < 100 && first == null; i++) {
      System.gc();
      first = collected.remove(100);
    }
    assertThat((Object) first).isSameAs(caller);
  }

  /** Makes a call whose results something of the caller's reads, and gives it up. */
  private WeakReference<Object> givenUpFor(RpcChannel channel, ReferenceQueue<Object> queue) {
    Object callers = new Object();
    Cancellation cancellation = Cancellation.create();
    long sentBefore = sent(channel);
    Future<Object> call = channel.call(RpcRequest.to(EchoService.BINDING, EchoService.NEVER)
        .options(CallOptions.DEFAULT.withCancellation(cancellation)).results(results -> callers).build());
    Waiting.until(() -> sent(channel) > sentBefore);
    cancellation.cancel();
    assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcCancelledException.class);
    return new WeakReference<>(callers, queue);
  }

  private static long sent(RpcChannel channel) {
    return Waiting.await(Waiting.await(channel.connect()).snapshot()).calls().sent();
  }
}
