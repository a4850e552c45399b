// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.rpcrdma.api.CallInterceptor;
import dev.rpcrdma.api.RpcAccess;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Code of an application throws, wherever calls run into it: an exception, an error of linking, or a stack that is too
 * deep. Fails if one of these places catches exceptions alone.
 */
@DisplayName("Application code that throws")
@Tag("slow")
class PlantedFailuresTest {

  private static final UpperLayerBinding BINDING = new UpperLayerBinding("Planted", 0x200600A9, 1, OptionalInt.empty(),
      Map.of(1, new ProcedureBinding("plant", 0, 0, ReplyBound.of(4))));

  /** What throws. */
  enum Place {
    CALL_INTERCEPTOR, ARGUMENTS, TOKEN_SOURCE, TOKEN_VERIFIER, ACCESS, ACCEPTS, SERVICE_INTERCEPTOR, SERVICE,
    ENCODING, DECODING
  }

  private final Vertx vertx = Vertx.vertx();
  private final AtomicReference<Place> armed = new AtomicReference<>();
  private volatile Throwable planted;
  private RpcServer server;

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  static Stream<Arguments> everywhere() {
    return Stream.of(Place.values()).flatMap(place -> Stream.<Throwable>of(new IllegalStateException("on purpose"),
        new NoClassDefFoundError("on purpose"), new StackOverflowError()).map(thrown -> Arguments.of(place, thrown)));
  }

  @SuppressWarnings("unchecked")
  private <X extends Throwable> void pass(Place place) throws X {
    if (armed.get() == place) {
      throw (X) planted;
    }
  }

  private final RpcService service = new RpcService() {
    @Override
    public UpperLayerBinding binding() {
      return BINDING;
    }

    @Override
    public RpcAccess access(int procedure) {
      PlantedFailuresTest.this.<RuntimeException>pass(Place.ACCESS);
      return user -> {
        PlantedFailuresTest.this.<RuntimeException>pass(Place.ACCEPTS);
        return true;
      };
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      PlantedFailuresTest.this.<RuntimeException>pass(Place.SERVICE);
      return Future.succeededFuture(writer -> {
        PlantedFailuresTest.this.<RuntimeException>pass(Place.ENCODING);
        writer.int32(7);
      });
    }
  };

  private RpcChannel open() {
    server = RpcServer.builder(vertx).withTokens((token, connection) -> {
      PlantedFailuresTest.this.<RuntimeException>pass(Place.TOKEN_VERIFIER);
      return Future.succeededFuture(new RpcUser("alice", new JsonObject(), Optional.empty()));
    }).addServiceInterceptor((call, next) -> {
      PlantedFailuresTest.this.<RuntimeException>pass(Place.SERVICE_INTERCEPTOR);
      return next.handle(call);
    }).build().bind(service);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    return RpcClient.builder(vertx).with(new RpcClientOptions().setCallTimeout(Duration.ofSeconds(5))
        .setReconnectAttempts(1).setReconnectDelay(Duration.ofMillis(10))).withToken(() -> {
          PlantedFailuresTest.this.<RuntimeException>pass(Place.TOKEN_SOURCE);
          return Future.succeededFuture("token");
        }).addCallInterceptor(new CallInterceptor() {
          @Override
          public <T> Future<T> call(RpcRequest<T> request, RpcCaller next) {
            PlantedFailuresTest.this.<RuntimeException>pass(Place.CALL_INTERCEPTOR);
            return next.call(request);
          }
        }).build().channel(SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
  }

  private RpcRequest<Integer> request() {
    return RpcRequest.to(BINDING, 1).arguments(writer ->
        PlantedFailuresTest.this.<RuntimeException>pass(Place.ARGUMENTS)).results(reader -> {
          PlantedFailuresTest.this.<RuntimeException>pass(Place.DECODING);
          return reader.int32();
        }).build();
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  @DisplayName("The call fails, in its future; the next one succeeds, over the same connection if it was up")
  void everyPlace(Place place, Throwable thrown) {
    planted = thrown;
    RpcChannel channel = open();
    boolean connecting = place == Place.TOKEN_SOURCE || place == Place.TOKEN_VERIFIER;
    RpcConnection before = connecting ? null : Waiting.await(channel.connect());
    armed.set(place);
    AtomicReference<Future<Integer>> call = new AtomicReference<>();
    assertThat(catchThrowable(() -> call.set(channel.call(request())))).isNull();
    assertThat(Waiting.awaitFailure(call.get())).isNotInstanceOf(RpcTimeoutException.class);
    armed.set(null);
    assertThat(Waiting.await(channel.call(request()))).isEqualTo(7);
    if (before != null) {
      assertThat(before.closeFuture().isComplete()).isFalse();
    }
    assertThat(server.connectionCount()).isOne();
  }
}
