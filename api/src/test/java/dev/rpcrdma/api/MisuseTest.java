package dev.rpcrdma.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.OptionalInt;
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
  private static final UpperLayerBinding BINDING = new UpperLayerBinding(0x20060098, 1,
      OptionalInt.empty(), Map.of(
          RETURN_LENT, new ProcedureBinding("RETURN_LENT", 1, 1, ReplyBound.of(4)),
          THROW_ERROR, new ProcedureBinding("THROW_ERROR", 0, 0, ReplyBound.of(0)),
          ENCODE_ERROR, new ProcedureBinding("ENCODE_ERROR", 0, 0, ReplyBound.of(0)),
          RELEASE_LENT, new ProcedureBinding("RELEASE_LENT", 1, 0, ReplyBound.of(0))));

  private final RpcBed bed = new RpcBed("siw");

  private static final class Mistaken implements RpcService {

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
      DataItem lent = call.arguments().dataItem(LENGTH);
      if (call.procedure() == RELEASE_LENT) {
        lent.release();
        return Future.succeededFuture(XdrEncoder.VOID);
      }
      return Future.succeededFuture(writer -> writer.dataItem(lent));
    }
  }

  @BeforeEach
  void bind() {
    bed.server.bind(new Mistaken());
  }

  @AfterEach
  void othersAreServedAndNothingLeaks() {
    Await.success(bed.channel.call(EchoService.echo(new byte[10])));
    bed.close();
  }

  private void theConnectionStays() {
    Await.success(bed.channel.call(EchoService.echo(new byte[10])));
    assertThat(Await.success(bed.channel.snapshot()).connections()).isEqualTo(1);
    assertThat(bed.snapshot().callsPending()).isZero();
  }

  private void answeredSystemError(RpcRequest<?> request) {
    assertThat(Await.failure(bed.channel.call(request)))
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
  @DisplayName("R-156: a service throws an Error, and its caller hears of it")
  void serviceThrowsAnError() {
    answeredSystemError(RpcRequest.to(BINDING, THROW_ERROR).build());
  }

  @Test
  @DisplayName("R-156: an encoder of results throws an Error, and its caller hears of it")
  void encoderThrowsAnError() {
    answeredSystemError(RpcRequest.to(BINDING, ENCODE_ERROR).build());
    theConnectionStays();
  }

  @Test
  void aDecoderReleasesWhatItWasLent() {
    assertThat(Await.success(bed.channel.call(RpcRequest
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
    Throwable failure = Await.failure(bed.channel.call(RpcRequest
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
    Throwable failure = Await.failure(bed.channel.call(RpcRequest
        .to(EchoService.BINDING, EchoService.ECHO_PLACED)
        .arguments(w -> w.dataItem(argument)).placedResult(target).build()));
    assertThat(failure).isInstanceOf(IllegalStateException.class);
    argument.release();
    assertThatThrownBy(argument::bytes).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aPayloadIsReleasedOnceTooOftenWhileItsCallIsUnderWay() {
    Await.success(bed.channel.connect());
    Payload target = Payload.allocate(bed.vertx, LENGTH);
    Future<Void> call = bed.channel.call(RpcRequest.to(EchoService.BINDING, EchoService.NEVER)
        .placedResult(target).options(CallOptions.DEFAULT.withTimeout(Duration.ofMillis(500)))
        .build());
    Await.until(() -> bed.service.never.size() == 1);
    target.release();
    target.release();
    assertThat(Await.failure(call)).isInstanceOf(RpcTimeoutException.class);
    bed.service.never.get(0).complete(XdrEncoder.VOID);
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
}
