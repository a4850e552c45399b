// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.ConnectionSnapshot;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcTransportException;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that their callers give up, at whatever point of their way. */
class CancellationTest {

  private static final int LENGTH = 100_000;
  private static final byte[] OLD = new byte[LENGTH];

  static {
    Arrays.fill(OLD, (byte) 0x55);
  }

  private final Cancellation cancellation = Cancellation.create();
  private final CallOptions options = CallOptions.DEFAULT.withCancellation(cancellation);
  private RpcBed bed;

  /** There is one credit, and room for one call that waits. */
  @BeforeEach
  void open() {
    open(new RpcClientOptions().setForwardCredits(1).setMaxQueuedCalls(1));
  }

  private void open(RpcClientOptions clientOptions) {
    // A server that is not told of cancelled calls, so that their replies are late.
    bed = new RpcBed(new RpcServerOptions().setMetadata(false).setDrainTimeout(Duration.ofMillis(300)),
        clientOptions.setDrainTimeout(Duration.ofMillis(300)));
  }

  /** Any number of calls at once. */
  private void openWide() {
    bed.close();
    open(new RpcClientOptions());
  }

  @AfterEach
  void close() {
    assertThat(CancellationWatch.calls(cancellation)).as("calls that are kept").isZero();
    bed.close();
  }

  private RpcRequest.Builder<Void> never() {
    return RpcRequest.to(EchoService.BINDING, EchoService.NEVER).options(options);
  }

  private Future<Void> sent(RpcCaller caller, RpcRequest<Void> request) {
    int before = bed.service.never.size();
    Future<Void> call = caller.call(request);
    Waiting.until(() -> bed.service.never.size() > before);
    return call;
  }

  private void answerLate(XdrEncoder results) {
    bed.service.never.forEach(promise -> promise.tryComplete(results));
  }

  private static void assertCancelled(Future<?> call) {
    assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcCancelledException.class)
        .hasMessageContaining("The call was cancelled");
  }

  private static void assertRefused(Future<?> call) {
    assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcTransportException.class)
        .hasMessageContaining("calls wait for");
  }

  private static void releaseLast(Payload payload) {
    payload.release();
    assertThatThrownBy(payload::bytes).isInstanceOf(IllegalStateException.class);
  }

  @Test
  @DisplayName("A call that waits for a connection is gone at once, and its memory is the caller's")
  void waitingForAConnection() {
    NetServer silent = bed.vertx.createNetServer().connectHandler(socket -> {});
    Waiting.await(silent.listen(0, RpcBed.HOST));
    RpcChannel channel = bed.client.channel(
        SocketAddress.inetSocketAddress(silent.actualPort(), RpcBed.HOST));
    Payload argument = Payload.allocate(bed.vertx, LENGTH);
    Future<Void> waiting = channel.call(RpcRequest.to(EchoService.BINDING, EchoService.ECHO_PLACED)
        .arguments(writer -> writer.dataItem(argument)).options(options).build());
    assertRefused(channel.call(EchoService.call(EchoService.NEVER)));
    assertThat(Waiting.await(channel.snapshot()).callsPending()).isEqualTo(1);
    assertThat(CancellationWatch.calls(cancellation)).isEqualTo(1);
    cancellation.cancel();
    assertCancelled(waiting);
    releaseLast(argument);
    assertThat(Waiting.await(channel.snapshot()).callsPending()).isZero();
    Future<Void> next = channel.call(EchoService.call(EchoService.NEVER));
    assertThat(Waiting.await(channel.snapshot()).callsPending()).as("there is room").isEqualTo(1);
    Waiting.await(silent.close());
    assertThat(Waiting.awaitFailure(next)).isInstanceOf(RpcConnectException.class);
  }

  @Test
  @DisplayName("R-023: a call that waits for a credit is gone at once, and is never sent")
  void waitingForACredit() {
    Future<Void> taking = sent(bed.channel, EchoService.call(EchoService.NEVER));
    Future<Void> waiting = bed.channel.call(never().build());
    assertRefused(bed.channel.call(EchoService.echo(new byte[1])));
    cancellation.cancel();
    assertCancelled(waiting);
    Future<Buffer> next = bed.channel.call(EchoService.echo(new byte[7]));
    ConnectionSnapshot before = bed.snapshot();
    answerLate(XdrEncoder.VOID);
    Waiting.await(taking);
    assertThat(Waiting.await(next).length()).isEqualTo(7);
    assertThat(bed.snapshot().calls().sent()).isEqualTo(before.calls().sent() + 1);
    assertThat(bed.service.never).hasSize(1);
  }

  @Test
  @DisplayName("R-023 R-172: a call that was sent keeps its credit, and memory of the pool, until its"
      + " late reply, which is harmless")
  void sent() {
    RpcConnection connection = Waiting.await(bed.channel.connect());
    long poolBytes = bed.watch.poolBytes();
    Future<Void> given = sent(bed.channel, never().placedResult(LENGTH).build());
    cancellation.cancel();
    assertCancelled(given);
    ConnectionSnapshot after = bed.snapshot();
    assertThat(after.calls().pending()).isEqualTo(1);
    assertThat(after.memory().bytesSetAside()).isEqualTo(LENGTH);
    assertThat(after.memory().exposures()).isEqualTo(1);
    Future<Buffer> next = bed.channel.call(EchoService.echo(new byte[7]));
    assertThat(bed.snapshot().calls().sent()).as("the credit is taken").isEqualTo(after.calls().sent());
    answerLate(writer -> writer.dataItem(DataItem.of(new byte[LENGTH])));
    assertThat(Waiting.await(next).length()).isEqualTo(7);
    Waiting.await(bed.channel.call(EchoService.echo(new byte[7])));
    assertThat(bed.snapshot().calls().pending()).isZero();
    assertThat(bed.snapshot().memory().bytesSetAside()).isZero();
    assertThat(bed.snapshot().memory().exposures()).isZero();
    assertThat(bed.watch.poolBytes()).isEqualTo(poolBytes);
    assertThat(Waiting.await(bed.channel.connect())).isSameAs(connection);
  }

  @Test
  @DisplayName("R-172: memory of the pool is set aside no longer than agreed, if the reply never comes")
  void setAsideNoLonger() {
    bed.close();
    // No other deadline comes near.
    Duration later = Duration.ofSeconds(10 * Waiting.DEADLINE.toSeconds());
    open(new RpcClientOptions().setSetAsideTime(Duration.ofMillis(20)).setCallTimeout(later)
        .setConnectTimeout(later).setKeepAliveTime(later));
    Waiting.await(bed.channel.call(EchoService.echo(new byte[1])));
    long poolBytes = bed.watch.poolBytes();
    Future<Void> given = sent(bed.channel, never().placedResult(LENGTH).build());
    cancellation.cancel();
    assertCancelled(given);
    Waiting.until(() -> bed.watch.poolBytes() == poolBytes);
    assertThat(bed.snapshot().memory().bytesSetAside()).isZero();
  }

  @Test
  @DisplayName("R-326: memory of the caller is revoked before the caller hears; a late reply that needs"
      + " it loses the connection, and writes nothing")
  void callersMemory() {
    RpcConnection connection = Waiting.await(bed.channel.connect());
    Payload target = Payload.copyOf(bed.vertx, Buffer.buffer(OLD));
    Future<Void> given = sent(bed.channel, never().placedResult(target).build());
    assertThat(bed.snapshot().memory().exposures()).isEqualTo(1);
    cancellation.cancel();
    assertCancelled(given);
    assertThat(bed.snapshot().memory().exposures()).isZero();
    answerLate(writer -> writer.dataItem(DataItem.of(new byte[LENGTH])));
    Waiting.await(connection.closeFuture());
    assertThat(target.toBuffer()).isEqualTo(Buffer.buffer(OLD));
    // Both go on: the channel by another connection, the memory with another call.
    assertThat(Waiting.await(bed.channel.call(EchoService.echoPlaced(target))))
        .isEqualTo(Buffer.buffer(OLD));
    target.release();
  }

  @Test
  @DisplayName("R-326: memory of the caller is his alone when he hears, however long the peer takes")
  void callersMemoryIsReleased() {
    Payload target = Payload.allocate(bed.vertx, LENGTH);
    Future<Void> given = sent(bed.channel, never().placedResult(target).build());
    cancellation.cancel();
    assertCancelled(given);
    releaseLast(target);
    // It may cost the connection even so, since the peer may invalidate the tag.
    answerLate(XdrEncoder.VOID);
    Waiting.await(bed.channel.call(EchoService.echo(new byte[7])));
    assertThat(bed.snapshot().calls().pending()).isZero();
  }

  /** Inline, with memory of the pool, with memory of the caller. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  @DisplayName("R-326: a call is cancelled in the turn of the loop in which it is made")
  void inTheSameTurn(int form) {
    openWide();
    Waiting.await(bed.channel.connect());
    Payload target = Payload.allocate(bed.vertx, LENGTH);
    RpcRequest.Builder<Void> request = never();
    if (form > 0) {
      request = form == 1 ? request.placedResult(LENGTH) : request.placedResult(target);
    }
    RpcRequest<Void> made = request.build();
    Future<Void> call = onLoop(bed.channel, () -> {
      Future<Void> begun = bed.channel.call(made);
      cancellation.cancel();
      return begun;
    });
    assertCancelled(call);
    releaseLast(target);
    Waiting.await(bed.channel.call(EchoService.echo(new byte[7])));
    answerLate(XdrEncoder.VOID);
    Waiting.until(() -> bed.snapshot().calls().pending() == 0);
    assertThat(bed.snapshot().memory().exposures()).isZero();
  }

  /** Does something on a caller's loop, where results are decoded. */
  private static <T> Future<T> onLoop(RpcCaller caller, Supplier<Future<T>> action) {
    return Waiting.await(caller.call(RpcRequest.to(EchoService.BINDING, EchoService.ECHO)
        .arguments(writer -> writer.opaque(new byte[1]))
        .replyBound(ReplyBound.of(8))
        .results(reader -> action.get()).build()));
  }
}
