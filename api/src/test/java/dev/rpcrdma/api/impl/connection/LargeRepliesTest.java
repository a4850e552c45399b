// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.ConnectionSnapshot;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcTransportException;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.LoggedMessages;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Results whose size nobody can predict. */
public class LargeRepliesTest {

  private final BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
  private RpcBed bed;

  /** The name of the provider that both ends use. */
  protected String provider() {
    return "siw";
  }

  private void open(RpcServerOptions serverOptions, RpcClientOptions clientOptions) {
    bed = new RpcBed(serverOptions.setProvider(provider()), clientOptions.setProvider(provider()));
    bed.server.connectionHandler(accepted::add);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private static Buffer random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return Buffer.buffer(bytes);
  }

  private static Future<Buffer> echo(RpcCaller caller, Buffer bytes) {
    return caller.call(EchoService.echoUnbounded(bytes.getBytes()));
  }

  @Test
  @DisplayName("A target that is too small fails its call, with its size and the cure, if nothing is pulled")
  void targetTooSmall() {
    open(new RpcServerOptions(), new RpcClientOptions().setPullReplies(false));
    Payload target = Payload.allocate(bed.vertx, 10);
    assertThat(Waiting.awaitFailure(bed.channel.call(RpcRequest.to(EchoService.BINDING, EchoService.ECHO_PLACED)
        .arguments(w -> w.dataItem(DataItem.of(new byte[5000]))).placedResult(target)
        .results(r -> r.dataItem(5000)).build())))
        .isInstanceOf(RpcTransportException.class).hasMessageContaining("and 10 for what is placed")
        .hasMessageContaining("a longer target (@Into)");
    target.release();
  }

  @Test
  @DisplayName("R-260 R-264 R-266 R-280 R-286: results of any size, for which the call makes no room")
  void anySize() {
    open(new RpcServerOptions(), new RpcClientOptions());
    int large = 0;
    for (int length : new int[] {0, 1, 4000, 4036, 4037, 4096, 70_001, 1 << 20, 9_000_001}) {
      Buffer bytes = random(length);
      assertThat(Waiting.await(echo(bed.channel, bytes))).as("%d bytes", length).isEqualTo(bytes);
      large += length > 4036 ? 1 : 0;
    }
    ConnectionSnapshot snapshot = bed.snapshot();
    assertThat(snapshot.messages().pulledReplies()).isEqualTo(large);
    assertThat(snapshot.messages().replyChunks()).isZero();
    assertThat(snapshot.memory().exposures()).isZero();
    Waiting.until(() -> {
      ConnectionSnapshot ofServer = Waiting.await(accepted.peek().snapshot());
      return ofServer.messages().providedReplies() == snapshot.messages().pulledReplies()
          && ofServer.memory().providedBytes() == 0;
    });
  }

  @Test
  @DisplayName("R-260: replies of both directions are pulled at the same time")
  void bothDirections() {
    open(new RpcServerOptions(), new RpcClientOptions());
    bed.channel.bind(new EchoService());
    Waiting.await(bed.channel.connect());
    RpcConnection toClient = Waiting.next(accepted);
    List<Future<Buffer>> all = new ArrayList<>();
    Buffer bytes = random(300_000);
    for (int i = 0; i < 50; i++) {
      all.add(echo(bed.channel, bytes));
      all.add(echo(toClient, bytes));
    }
    all.forEach(one -> assertThat(Waiting.await(one)).isEqualTo(bytes));
    assertThat(bed.snapshot().messages().pulledReplies()).isEqualTo(50);
    assertThat(Waiting.await(toClient.snapshot()).messages().pulledReplies()).isEqualTo(50);
  }

  @ParameterizedTest
  @CsvSource({"false, true", "true, false", "false, false"})
  @DisplayName("R-265: where one end does without, a call makes room, and a result beyond it is an error")
  void without(boolean pulls, boolean provides) {
    open(new RpcServerOptions().setProvideReplies(provides), new RpcClientOptions().setPullReplies(pulls));
    Buffer bytes = random(60_000);
    assertThat(Waiting.await(echo(bed.channel, bytes))).isEqualTo(bytes);
    assertThat(Waiting.awaitFailure(echo(bed.channel, random(70_000)))).isInstanceOf(RpcTransportException.class);
    assertThat(bed.snapshot().messages().replyChunks()).isEqualTo(1);
    assertThat(bed.snapshot().messages().pulledReplies()).isZero();
  }

  @Test
  @DisplayName("R-282: a Reply chunk is used if the reply fits, and what does not fit is pulled")
  void beyondItsBound() {
    open(new RpcServerOptions(), new RpcClientOptions());
    for (int length : new int[] {50_000, 200_000}) {
      Buffer bytes = random(length);
      assertThat(Waiting.await(bed.channel.call(RpcRequest.to(EchoService.BINDING, EchoService.ECHO)
          .arguments(writer -> writer.opaque(bytes.getBytes())).replyBound(ReplyBound.of(100_000))
          .results(reader -> Buffer.buffer(reader.opaque(Integer.MAX_VALUE))).build()))).isEqualTo(bytes);
    }
    assertThat(bed.snapshot().messages().replyChunks()).isEqualTo(1);
    assertThat(bed.snapshot().messages().pulledReplies()).isEqualTo(1);
  }

  /** Fails if {@code Attempt.typical} looks at the procedure's own bound alone. */
  @Test
  @DisplayName("R-280 C-32: a bound that the caller gives has a Reply chunk offered")
  void boundOfCaller() {
    open(new RpcServerOptions(), new RpcClientOptions());
    Buffer bytes = random(50_000);
    assertThat(Waiting.await(bed.channel.call(EchoService.echoUnbounded(bytes.getBytes())
        .withOptions(CallOptions.DEFAULT.withMaxReply(60_000))))).isEqualTo(bytes);
    assertThat(bed.snapshot().messages().replyChunks()).isEqualTo(1);
    assertThat(bed.snapshot().messages().pulledReplies()).isZero();
  }

  @Test
  @DisplayName("What a client keeps of a large reply that was not pulled goes with its channel")
  void keptNoLongerThanItsChannel() {
    open(new RpcServerOptions(), new RpcClientOptions().setDrainTimeout(Duration.ofMillis(1))
        .setReplyCacheBytes(1000));
    EchoService service = new EchoService();
    bed.channel.bind(service);
    RpcConnection first = Waiting.await(bed.channel.connect());
    Future<Void> call = Waiting.next(accepted).call(EchoService.call(EchoService.NEVER));
    Waiting.until(() -> !service.never.isEmpty());
    Waiting.await(first.close());
    Waiting.awaitFailure(call);
    Payload result = Payload.allocate(bed.vertx, 100_000);
    service.never.get(0).complete(writer -> writer.dataItem(result));
    Waiting.await(bed.channel.connect());
    Waiting.await(bed.channel.close());
    assertThat(result.tryRetain()).as("has an owner").isFalse();
  }

  @Test
  @DisplayName("R-265 C-25: a reply that cannot be sent is named in the server's log, with both sizes, once")
  void logged() {
    try (LoggedMessages logged = new LoggedMessages("dev.rpcrdma.api.impl.connection.Dispatcher")) {
      open(new RpcServerOptions(), new RpcClientOptions().setPullReplies(false));
      String name = "SEVENTY_OVER_" + provider();
      UpperLayerBinding binding = serve(0x20060098, name,
          call -> Future.succeededFuture(writer -> writer.fixedOpaque(new byte[70_000])));
      for (int i = 0; i < 2; i++) {
        assertThat(Waiting.awaitFailure(bed.channel.call(RpcRequest.to(binding, 1).build())))
            .hasMessageContaining("4040 bytes that the call had room for");
      }
      assertThat(logged.all()).singleElement().asString()
          .contains("0x20060098/" + name + " (program 0x20060098 version 1 procedure 1)", "70028 bytes", "4096");
    }
  }

  /** Fails if {@code CallBeingServed.status} does not say what cannot be decoded, or says it of each call. */
  @Test
  @DisplayName("Arguments that cannot be decoded are named in the server's log, with the reason, once")
  void notDecoded() {
    try (LoggedMessages logged = new LoggedMessages("dev.rpcrdma.api.impl.call.CallBeingServed")) {
      open(new RpcServerOptions(), new RpcClientOptions());
      String name = "ODD_OVER_" + provider();
      UpperLayerBinding binding = serve(0x20060097, name, call -> {
        call.arguments().int32();
        return Future.succeededFuture(writer -> {});
      });
      for (int i = 0; i < 2; i++) {
        assertThat(Waiting.awaitFailure(bed.channel.call(RpcRequest.to(binding, 1).build())))
            .hasMessageContaining("cannot decode the arguments");
      }
      assertThat(logged.all()).singleElement().asString().contains(name, "cannot be decoded: ", "GARBAGE_ARGS");
    }
  }

  /**
   * Serves a program of one procedure, whose results are said to have 100 bytes.
   *
   * @param name of the procedure: the log tells of it once in a process, so each provider needs one of its own
   */
  private UpperLayerBinding serve(int program, String name, Function<RpcCall, Future<XdrEncoder>> service) {
    UpperLayerBinding binding = new UpperLayerBinding(program, 1, OptionalInt.empty(),
        Map.of(1, new ProcedureBinding(name, 0, 0, ReplyBound.of(100))));
    bed.server.bind(new RpcService() {
      @Override
      public UpperLayerBinding binding() {
        return binding;
      }

      @Override
      public Future<XdrEncoder> handle(RpcCall call) {
        return service.apply(call);
      }
    });
    return binding;
  }
}
