// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcDecodingException;
import dev.rpcrdma.api.RpcEncodingException;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcTransportException;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Applications that make mistakes: each call has its outcome, at once, and others do not suffer. */
class MisuseTest {

  private static final int LENGTH = 10_000;
  private static final int RETURN_LENT = 1;
  private static final int THROW_ERROR = 2;
  private static final int RELEASE_LENT = 3;
  private static final int ENCODE_ERROR = 4;
  private static final int RELEASE_ONE_OF_TWO = 5;
  private static final int ENCODE_RELEASED = 6;
  private static final int NEVER = 7;
  private static final UpperLayerBinding BINDING = new UpperLayerBinding(0x20060098, 1,
      OptionalInt.empty(), Map.of(
          RETURN_LENT, new ProcedureBinding("RETURN_LENT", 1, 1, ReplyBound.of(4)),
          THROW_ERROR, new ProcedureBinding("THROW_ERROR", 0, 0, ReplyBound.of(0)),
          ENCODE_ERROR, new ProcedureBinding("ENCODE_ERROR", 0, 0, ReplyBound.of(0)),
          RELEASE_LENT, new ProcedureBinding("RELEASE_LENT", 1, 0, ReplyBound.of(0)),
          RELEASE_ONE_OF_TWO,
          new ProcedureBinding("RELEASE_ONE_OF_TWO", 2, 0, ReplyBound.of(0)),
          ENCODE_RELEASED, new ProcedureBinding("ENCODE_RELEASED", 1, 1, ReplyBound.of(4)),
          NEVER, new ProcedureBinding("NEVER", 2, 1, ReplyBound.of(4))));

  private final RpcBed bed = new RpcBed("siw");

  private final Mistaken mistaken = new Mistaken();

  private static final class Mistaken implements RpcService {

    final List<Promise<XdrEncoder>> never = new CopyOnWriteArrayList<>();

    @Override
    public UpperLayerBinding binding() {
      return BINDING;
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      if (call.procedure() == THROW_ERROR) {
        throw new NoClassDefFoundError("on purpose");
      }
      if (call.procedure() == ENCODE_ERROR) {
        return Future.succeededFuture(writer -> {
          throw new NoClassDefFoundError("on purpose, while encoding");
        });
      }
      if (call.procedure() == NEVER) {
        Promise<XdrEncoder> promise = Promise.promise();
        never.add(promise);
        return promise.future();
      }
      DataItem lent = call.arguments().dataItem(LENGTH);
      switch (call.procedure()) {
        case RELEASE_LENT:
          lent.release();
          return Future.succeededFuture(XdrEncoder.VOID);
        case RELEASE_ONE_OF_TWO:
          call.arguments().dataItem(LENGTH);
          lent.release();
          return Future.succeededFuture(XdrEncoder.VOID);
        case ENCODE_RELEASED:
          lent.release();
          return Future.succeededFuture(writer -> {
            writer.dataItem(lent);
            throw new IllegalStateException("on purpose, while encoding");
          });
        default:
      }
      return Future.succeededFuture(writer -> writer.dataItem(lent));
    }
  }

  @BeforeEach
  void bind() {
    bed.server.bind(mistaken);
  }

  @AfterEach
  void othersAreServedAndNothingLeaks() {
    Waiting.await(bed.channel.call(EchoService.echo(new byte[10])));
    bed.close();
  }

  private void theConnectionStays() {
    Waiting.await(bed.channel.call(EchoService.echo(new byte[10])));
    assertThat(Waiting.await(bed.channel.snapshot()).connections()).isEqualTo(1);
    assertThat(bed.snapshot().calls().pending()).isZero();
  }

  private void answeredSystemError(RpcRequest<?> request) {
    assertThat(Waiting.awaitFailure(bed.channel.call(request)))
        .isInstanceOfSatisfying(RpcRejectedException.class,
            e -> assertThat(e.acceptStatus()).contains(AcceptStatus.SYSTEM_ERR));
    theConnectionStays();
  }

  @Test
  @DisplayName("R-156: a service returns what it was only lent, and its caller hears of it")
  void returnsWhatItWasLent() {
    answeredSystemError(RpcRequest.to(BINDING, RETURN_LENT)
        .arguments(writer -> writer.dataItem(DataItem.of(new byte[LENGTH])))
        .placedResult(LENGTH).build());
  }

  @Test
  @DisplayName("R-156: a service releases what it was only lent, and its caller hears of it")
  void releasesWhatItWasLent() {
    answeredSystemError(RpcRequest.to(BINDING, RELEASE_LENT)
        .arguments(writer -> writer.dataItem(DataItem.of(new byte[LENGTH]))).build());
  }

  @Test
  @DisplayName("R-156 R-320: a service releases one of two items, and the memory of both is free again")
  void releasesOneOfTwo() {
    answeredSystemError(RpcRequest.to(BINDING, RELEASE_ONE_OF_TWO)
        .arguments(writer -> writer.dataItem(DataItem.of(new byte[LENGTH]))
            .dataItem(DataItem.of(new byte[LENGTH]))).build());
  }

  @Test
  @DisplayName("R-156: an encoder throws behind an item that nobody owns, and its caller hears of it")
  void encoderThrowsBehindWhatItReleased() {
    answeredSystemError(RpcRequest.to(BINDING, ENCODE_RELEASED)
        .arguments(writer -> writer.dataItem(DataItem.of(new byte[LENGTH])))
        .placedResult(LENGTH).build());
  }

  @Test
  @DisplayName("R-156: a service throws an Error, and its caller hears of it")
  void serviceThrowsAnError() {
    answeredSystemError(RpcRequest.to(BINDING, THROW_ERROR).build());
  }

  @Test
  @DisplayName("R-156: an encoder of results throws an Error, and its caller hears of it")
  void encoderThrowsAnError() {
    answeredSystemError(RpcRequest.to(BINDING, ENCODE_ERROR).build());
  }

  @Test
  void aDecoderReleasesWhatItWasLent() {
    assertThat(Waiting.await(bed.channel.call(RpcRequest
        .to(EchoService.BINDING, EchoService.ECHO_PLACED)
        .arguments(writer -> writer.dataItem(DataItem.of(new byte[LENGTH]))).placedResult(LENGTH)
        .results(reader -> {
          DataItem lent = reader.dataItem(LENGTH);
          lent.release();
          return lent.length();
        }).build()))).isEqualTo(LENGTH);
    theConnectionStays();
  }

  @Test
  void aDecoderThrowsAnError() {
    Throwable failure = Waiting.awaitFailure(bed.channel.call(RpcRequest
        .to(EchoService.BINDING, EchoService.ECHO).arguments(w -> w.opaque(new byte[10]))
        .results(reader -> {
          throw new NoClassDefFoundError("on purpose");
        }).build()));
    assertThat(failure).isInstanceOf(RpcDecodingException.class)
        .hasCauseInstanceOf(NoClassDefFoundError.class);
    theConnectionStays();
  }

  @Test
  void aPayloadThatWasReleasedRefusesItsCallWhichKeepsNothingOfOthers() {
    Payload argument = Payload.copyOf(bed.vertx, Buffer.buffer("argument"));
    Payload target = Payload.allocate(bed.vertx, 8);
    target.release();
    Throwable failure = Waiting.awaitFailure(bed.channel.call(RpcRequest
        .to(EchoService.BINDING, EchoService.ECHO_PLACED)
        .arguments(w -> w.dataItem(argument)).placedResult(target).build()));
    assertThat(failure).isInstanceOf(RpcEncodingException.class).hasMessageContaining("released");
    argument.release();
    assertThatThrownBy(argument::bytes).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void payloadsAreReleasedOnceTooOftenWhileTheirCallIsUnderWay() {
    Payload first = Payload.copyOf(bed.vertx, Buffer.buffer("first"));
    Payload second = Payload.copyOf(bed.vertx, Buffer.buffer("second"));
    Payload target = Payload.allocate(bed.vertx, LENGTH);
    Cancellation cancellation = Cancellation.create();
    Future<Void> call = bed.channel.call(RpcRequest.to(BINDING, NEVER)
        .arguments(w -> w.dataItem(first).dataItem(second)).placedResult(target)
        .options(CallOptions.DEFAULT.withCancellation(cancellation)).build());
    Waiting.until(() -> mistaken.never.size() == 1);
    first.release();
    first.release();
    second.release();
    target.release();
    cancellation.cancel();
    assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcCancelledException.class);
    mistaken.never.get(0).complete(XdrEncoder.VOID);
    assertThatThrownBy(second::bytes).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(target::bytes).isInstanceOf(IllegalStateException.class);
  }

  @Test
  @DisplayName("R-234: a time that no clock can tell is refused where it is said, not when a call is made")
  void aTimeoutForEverIsRefused() {
    for (Duration timeout : new Duration[] {ChronoUnit.FOREVER.getDuration(),
        Duration.ofNanos(Long.MAX_VALUE), Duration.ofDays(2), Duration.ofNanos(1)}) {
      assertThatThrownBy(() -> CallOptions.DEFAULT.withTimeout(timeout))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  @DisplayName("A payload that is released too often while its call waits for a connection costs that call"
      + " alone, in whatever form it would have travelled")
  void releasedWhileWaiting() {
    for (int length : new int[] {100, 3 * LENGTH}) {
      RpcChannel channel = bed.client.channel(bed.address());
      Payload payload = Payload.allocate(bed.vertx, length);
      Future<?> spoilt = channel.call(RpcRequest.to(BINDING, NEVER)
          .arguments(writer -> writer.dataItem(payload)).build());
      Future<?> other = channel.call(EchoService.echo(new byte[10]));
      // What is ours, and what is lent to the call.
      payload.release();
      payload.release();
      assertThat(Waiting.awaitFailure(spoilt)).as("%d bytes", length).isInstanceOfSatisfying(
          RpcTransportException.class, e -> assertThat(e.maybeExecuted()).isFalse());
      Waiting.await(other);
      Waiting.await(channel.call(EchoService.echo(new byte[10])));
      assertThat(Waiting.await(channel.snapshot()).connections()).isEqualTo(1);
      Waiting.await(channel.close());
    }
  }

  @Test
  @DisplayName("A program that is bound on a connection already is refused where it is bound, on any thread")
  void boundTwice() {
    RpcConnection connection = Waiting.await(bed.channel.connect());
    connection.bind(mistaken);
    assertThatThrownBy(() -> connection.bind(mistaken)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("serves program");
  }

  @Test
  @DisplayName("A payload is no longer than an XDR opaque can be, and says so")
  void tooLong() {
    for (int length : new int[] {-1, Integer.MAX_VALUE}) {
      assertThatThrownBy(() -> Payload.allocate(bed.vertx, length))
          .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("2147483644");
    }
  }
}
