// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.api.TokenVerifier;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.fabric.MemoryProvider;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of many users over connections that are cut, while handles end, verifiers are slow, and callers cancel. */
class TokenStormTest {

  private static final int CALLS = 400;
  private static final int USERS = 9;
  private static final UpperLayerBinding BINDING = new UpperLayerBinding("Storm", 0x200600ab, 1, OptionalInt.empty(),
      Map.of(1, new ProcedureBinding("am I", 0, 0, ReplyBound.of(400))));

  private record Execution(int number, String user) {}

  private final Vertx vertx = Vertx.vertx();
  private final Queue<Execution> executed = new ConcurrentLinkedQueue<>();

  private final RpcService service = new RpcService() {
    @Override
    public UpperLayerBinding binding() {
      return BINDING;
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      int number = call.arguments().int32();
      String user = call.user().map(RpcUser::name).orElse("nobody");
      executed.add(new Execution(number, user));
      XdrEncoder results = writer -> writer.opaque(user.getBytes(StandardCharsets.UTF_8));
      if (number % 3 > 0) {
        return Future.succeededFuture(results);
      }
      Promise<XdrEncoder> later = Promise.promise();
      vertx.setTimer(1 + number % 5, done -> later.complete(results));
      return later.future();
    }
  };

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private static String user(int number) {
    return number % USERS == 0 ? "owner" : "user " + number % USERS;
  }

  /** Some verdicts come late, some hold for long, and some are over when they come. */
  private TokenVerifier verifier(Random random) {
    return (token, connection) -> {
      Optional<Duration> time = switch (random.nextInt(4)) {
        case 0 -> Optional.of(Duration.ofNanos(1));
        case 1 -> Optional.of(Duration.ofMillis(1 + random.nextInt(20)));
        default -> Optional.empty();
      };
      RpcUser user = new RpcUser(token, new JsonObject(), time);
      return random.nextBoolean() ? Future.succeededFuture(user)
          : vertx.timer(1 + random.nextInt(4)).map(user);
    };
  }

  private RpcChannel open(long seed) {
    JsonObject faults = new JsonObject().put("seed", seed).put("cutProbability", 0.01).put("maxDelayMillis", 2);
    RpcServer server = RpcServer.builder(vertx).with(new RpcServerOptions().setProvider(MemoryProvider.NAME)
            .setProviderOptions(faults).setDrainTimeout(Duration.ofMillis(300)))
        .withTokens(verifier(new Random(seed))).build().bind(service);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    return RpcClient.builder(vertx).with(new RpcClientOptions().setProvider(MemoryProvider.NAME)
            .setProviderOptions(faults).setReconnectAttempts(0).setReconnectDelay(Duration.ofMillis(2))
            .setMaxReconnectDelay(Duration.ofMillis(20)).setDrainTimeout(Duration.ofMillis(300)))
        .withToken(() -> Future.succeededFuture("owner")).build()
        .channel(SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
  }

  private static Future<String> call(RpcChannel channel, int number, CallOptions options) {
    return channel.call(RpcRequest.to(BINDING, 1).arguments(writer -> writer.int32(number))
        .results(reader -> new String(reader.opaque(400), StandardCharsets.UTF_8)).options(options).build());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  @DisplayName("Each call is executed once at most, and for its own user; it ends, and nothing is left of it")
  void storm(long seed) {
    RpcChannel channel = open(seed);
    Waiting.outcome(channel.connect());
    Random random = new Random(seed);
    List<Future<String>> calls = new ArrayList<>();
    for (int number = 0; number < CALLS; number++) {
      Cancellation cancellation = Cancellation.create();
      CallOptions options = CallOptions.DEFAULT.withCancellation(cancellation);
      calls.add(call(channel, number, number % USERS == 0 ? options : options.withToken(user(number))));
      if (random.nextInt(5) == 0) {
        vertx.setTimer(1 + random.nextInt(10), late -> cancellation.cancel());
      }
    }
    for (int number = 0; number < CALLS; number++) {
      Throwable failure = Waiting.outcome(calls.get(number));
      if (failure == null) {
        assertThat(calls.get(number).result()).isEqualTo(user(number));
      } else {
        assertEnds(failure);
      }
    }
    assertThat(executed).allSatisfy(each -> assertThat(each.user()).isEqualTo(user(each.number())));
    assertThat(executed.stream().map(Execution::number)).doesNotHaveDuplicates();
    Waiting.until(() -> Waiting.await(channel.snapshot()).callsPending() == 0);
  }

  /** A handle may be over twice before its call has arrived. */
  private static void assertEnds(Throwable failure) {
    if (failure instanceof RpcRejectedException rejection) {
      assertThat(rejection.authStatus()).contains(AuthStatus.REJECTEDCRED);
    } else {
      assertThat(failure).isInstanceOf(RpcCancelledException.class);
    }
  }
}
