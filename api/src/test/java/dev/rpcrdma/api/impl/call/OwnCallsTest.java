// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Cancellation;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.api.fixture.ServerGroup;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.fabric.MemoryProvider;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls that the library makes for itself while a service has a call: they are no parts of that call. */
class OwnCallsTest {

  private static final UpperLayerBinding FRONT = new UpperLayerBinding("Front", 0x200600aa, 1, OptionalInt.empty(),
      Map.of(1, new ProcedureBinding("wait", 0, 0, ReplyBound.of(0))));

  /** One loop, so that a service runs on the loop of the channels that it uses. */
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private static RpcServerOptions serverOptions() {
    return new RpcServerOptions().setProvider(MemoryProvider.NAME).setDrainTimeout(Duration.ofMillis(300));
  }

  private static RpcClientOptions clientOptions() {
    return new RpcClientOptions().setProvider(MemoryProvider.NAME).setDrainTimeout(Duration.ofMillis(300));
  }

  private SocketAddress listen(RpcServer server) {
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    return SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST);
  }

  private SocketAddress backend() {
    return listen(RpcServer.create(vertx, serverOptions()).bind(new EchoService())
        .connectionHandler(accepted::add));
  }

  /** Calls a service that does this with its call, and answers when the future completes. */
  private Future<Void> front(Supplier<Future<?>> work, Cancellation cancellation) {
    SocketAddress address = listen(RpcServer.create(vertx, serverOptions()).bind(new RpcService() {
      @Override
      public UpperLayerBinding binding() {
        return FRONT;
      }

      @Override
      public Future<XdrEncoder> handle(RpcCall call) {
        return work.get().map(XdrEncoder.VOID);
      }
    }));
    return RpcClient.create(vertx, clientOptions()).channel(address).call(RpcRequest.to(FRONT, 1)
        .options(CallOptions.DEFAULT.withCancellation(cancellation)).build());
  }

  /** Does this in a call whose caller has cancelled, and which is never answered. */
  private void inAbandonedCall(Consumer<RpcCall> work) {
    Cancellation cancellation = Cancellation.create();
    Future<Void> call = front(() -> {
      RpcCall served = RpcCall.current();
      served.abandonHandler(none -> {
        work.accept(served);
        heard.add("abandoned");
      });
      heard.add("served");
      return Promise.promise().future();
    }, cancellation);
    assertThat(Waiting.next(heard)).isEqualTo("served");
    cancellation.cancel();
    assertThat(Waiting.awaitFailure(call)).isInstanceOf(RpcCancelledException.class);
    assertThat(Waiting.next(heard)).isEqualTo("abandoned");
  }

  private static boolean isKnown(RpcConnection toClient) {
    return Waiting.outcome(toClient.call(EchoService.echo(new byte[1]))) == null;
  }

  /** Fails if {@code RpcConnectionImpl.make} leaves the call that is being served the current one. */
  @Test
  @DisplayName("What is bound or unbound in an abandoned call is announced, and costs no connection")
  void announced() {
    RpcChannel channel = RpcClient.create(vertx, clientOptions()).channel(backend());
    RpcConnection connection = Waiting.await(channel.connect());
    RpcConnection toClient = Waiting.next(accepted);
    assertThat(isKnown(toClient)).isFalse();
    inAbandonedCall(call -> channel.bind(new EchoService()));
    Waiting.until(() -> isKnown(toClient));
    inAbandonedCall(call -> channel.unbind(EchoService.BINDING));
    Waiting.until(() -> !isKnown(toClient));
    Waiting.await(channel.call(EchoService.echo(new byte[1])));
    assertThat(Waiting.await(channel.connect())).isSameAs(connection);
    assertThat(Waiting.await(channel.snapshot()).connections()).isOne();
  }

  /** Fails if {@code RpcClientImpl}, or {@code RpcServerImpl}, keeps the context of the call that it is made in. */
  @Test
  @DisplayName("A client and a server that are made in an abandoned call are no parts of it")
  void madeInCall() {
    SocketAddress backend = backend();
    BlockingQueue<RpcChannel> channels = new LinkedBlockingQueue<>();
    BlockingQueue<RpcServer> servers = new LinkedBlockingQueue<>();
    inAbandonedCall(call -> {
      channels.add(RpcClient.create(vertx, clientOptions()).channel(backend).upHandler(this::callNobody));
      servers.add(RpcServer.create(vertx, serverOptions()).connectionHandler(this::callNobody));
    });
    Waiting.await(Waiting.next(channels).call(EchoService.echo(new byte[1])));
    assertThat(Waiting.next(heard)).isEqualTo("RpcRejectedException");
    SocketAddress address = listen(Waiting.next(servers));
    Waiting.await(RpcClient.create(vertx, clientOptions()).channel(address).connect());
    assertThat(Waiting.next(heard)).isEqualTo("RpcRejectedException");
  }

  /** A part of an abandoned call would be cancelled. */
  private void callNobody(RpcConnection connection) {
    connection.call(RpcRequest.to(FRONT, 1).build()).onFailure(e -> heard.add(e.getClass().getSimpleName()));
  }

  /** Fails if {@code TokenHandle.exchange} leaves the call that is being served the current one. */
  @Test
  @DisplayName("A token that is asked for while a service has a call is no part of that call")
  void token() {
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger judged = new AtomicInteger();
    SocketAddress backend = listen(RpcServer.builder(vertx).with(serverOptions()).withTokens((token, connection) ->
            Future.succeededFuture(new RpcUser(token, new JsonObject(), judged.incrementAndGet() == 1
                ? Optional.of(Duration.ofNanos(1)) : Optional.empty())))
        .build().bind(new EchoService()));
    RpcChannel channel = RpcClient.builder(vertx).with(clientOptions()).withToken(() -> {
      heard.add(inCall() ? "part" : "apart");
      return asked.incrementAndGet() == 2 ? Future.failedFuture("Not now") : Future.succeededFuture("alice");
    }).build().channel(backend);
    Waiting.await(channel.connect());
    // Its handle is over, and the source has no other token now.
    Waiting.outcome(channel.call(EchoService.echo(new byte[1])));
    Waiting.await(front(() -> channel.call(EchoService.echo(new byte[1])), Cancellation.create()));
    assertThat(heard).hasSizeGreaterThanOrEqualTo(3).containsOnly("apart");
  }

  /** Fails if {@code EndpointCache.lookUp} leaves the call that is being served the current one. */
  @Test
  @DisplayName("A resolver that is asked while a service has a call is no part of that call")
  void resolver() {
    SocketAddress backend = backend();
    RpcChannel group = RpcClient.builder(vertx).with(clientOptions()).withAddressResolver(ServerGroup.resolver(() -> {
      heard.add(inCall() ? "part" : "apart");
      return Future.succeededFuture(List.of(backend));
    })).build().channel(new ServerGroup.Name("group"));
    Waiting.await(front(() -> group.call(EchoService.echo(new byte[1])), Cancellation.create()));
    assertThat(heard).isNotEmpty().containsOnly("apart");
  }

  private static boolean inCall() {
    try {
      RpcCall.current();
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }
}
