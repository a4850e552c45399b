// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.ChannelSnapshot;
import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcProtection;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcSecurityException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.kerberos.gss.GssServer;
import dev.rpcrdma.kerberos.mechanism.KerberosServer;
import dev.rpcrdma.testkit.CuttingProxy;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Connections that are cut when a context is being made over them. */
@DisplayName("Kerberos, cut")
@Tag("large")
class InterruptedContextsTest {

  private static final String SERVICE = "echo/127.0.0.1";
  private static final int CALLS = 20;

  private static KerberosRealm realm;

  private final Vertx vertx = Vertx.vertx();
  private final AtomicInteger executed = new AtomicInteger();
  private final EchoService service = new EchoService();
  private CuttingProxy proxy;
  private KerberosServer contexts;
  private GssServer server;

  @BeforeAll
  static void open() {
    realm = new KerberosRealm("alice", SERVICE, "echo/elsewhere");
  }

  @AfterAll
  static void end() {
    realm.close();
  }

  @BeforeEach
  void serve() {
    KerberosOptions kerberos = realm.options(SERVICE).setContextTime(Duration.ofSeconds(1));
    contexts = KerberosServer.acquire(vertx, kerberos);
    server = (GssServer) contexts.authenticator();
    RpcServer listening = Waiting.await(RpcServer.builder(vertx)
        .with(new RpcServerOptions().setProvider("siw").setKerberos(kerberos))
        .addServiceInterceptor((call, next) -> {
          executed.incrementAndGet();
          return next.handle(call);
        }).build().bind(service).listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    proxy = new CuttingProxy(vertx, SocketAddress.inetSocketAddress(listening.actualPort(), "127.0.0.1"));
    Waiting.await(proxy.start());
  }

  @AfterEach
  void close() {
    contexts.close();
    Waiting.await(proxy.close());
    Waiting.await(vertx.close());
  }

  private RpcClient client(int connections) {
    return RpcClient.create(vertx, new RpcClientOptions().setProvider("siw").setConnections(connections)
        .setReconnectDelay(Duration.ofMillis(10))
        .setKerberos(realm.options("alice").setService("echo").setProtection(RpcProtection.INTEGRITY)));
  }

  private static List<Future<?>> calls(RpcChannel channel) {
    List<Future<?>> calls = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      calls.add(channel.call(EchoService.echo(new byte[100])));
    }
    return calls;
  }

  /** Those that were made for answers which are lost are of no use to anybody, and go when their time is over. */
  private void assertNoneLeft() {
    Waiting.until(() -> {
      RpcClient last = client(1);
      Waiting.await(last.channel(proxy.address()).call(EchoService.echo(new byte[1])));
      Waiting.await(last.close());
      return server.contexts() == 0;
    });
    assertThat(server.unfinished()).isZero();
  }

  /** Fails if {@code ContextTable.stands} leaves those whose time is over. */
  @Test
  @DisplayName("A connection that is cut between a token and its answer: calls are executed once, and nothing stays")
  void oneConnection() {
    RpcClient client = client(1);
    RpcChannel channel = client.channel(proxy.address());
    HeldThreads held = new HeldThreads(vertx);
    List<Future<?>> calls = calls(channel);
    Waiting.until(() -> server.unfinished() == 1);
    proxy.cut();
    Waiting.until(() -> server.unfinished() == 2);
    held.oneByOne();
    calls.forEach(Waiting::await);
    held.end();
    assertThat(executed).hasValue(CALLS);
    Waiting.await(client.close());
    assertNoneLeft();
  }

  /** Fails if {@code PeerContexts} sends a token again that a connection has sent: the server takes it for a replay. */
  @Test
  @DisplayName("Calls on other connections, which wait for that context, do not notice either")
  void severalConnections() {
    List<Integer> sources = new CopyOnWriteArrayList<>();
    // One connection at first, so that it is known which one has the token.
    proxy.refuse(source -> {
      sources.add(source.port());
      return sources.size() > 1;
    });
    RpcClient client = client(2);
    RpcChannel channel = client.channel(proxy.address());
    Waiting.await(channel.connect());
    HeldThreads held = new HeldThreads(vertx);
    List<Future<?>> calls = calls(channel);
    Waiting.until(() -> server.unfinished() == 1);
    proxy.refuse(source -> false);
    channel.connect();
    Waiting.until(() -> Waiting.await(channel.snapshot()).parts().stream().allMatch(ChannelSnapshot::connected));
    calls.addAll(calls(channel));
    proxy.refuse(source -> source.port() == sources.get(0));
    Waiting.until(() -> server.unfinished() == 2);
    held.oneByOne();
    calls.forEach(Waiting::await);
    held.end();
    assertThat(executed).hasValue(2 * CALLS);
    Waiting.await(client.close());
    assertNoneLeft();
  }

  /** Fails if {@code PeerContexts} does not say that an answer is slow, or asks the silent connection again. */
  @Test
  @DisplayName("A connection that stands still, and is not found dead yet, does not hold the calls of another one")
  void stalledConnection() {
    AtomicInteger sources = new AtomicInteger();
    proxy.refuse(source -> sources.incrementAndGet() > 1);
    RpcClient client = client(2);
    RpcChannel channel = client.channel(proxy.address());
    Waiting.await(channel.connect());
    proxy.stall();
    proxy.refuse(source -> false);
    channel.connect();
    Waiting.until(() -> Waiting.await(channel.snapshot()).parts().stream().allMatch(ChannelSnapshot::connected));
    Waiting.await(Future.any(channel.call(EchoService.echo(new byte[1])), channel.call(EchoService.echo(new byte[1]))));
    assertThat(executed).hasValue(1);
    proxy.cut();
    Waiting.await(client.close());
  }

  /** Fails if {@code CallOutcome.failure} does not ask whether the call was sent. */
  @Test
  @DisplayName("A call that was sent before, and finds no context at another server, may have been executed and says so")
  void maybeExecuted() {
    RpcServer other = Waiting.await(RpcServer.create(vertx, new RpcServerOptions().setProvider("siw")
        .setKerberos(realm.options("echo/elsewhere"))).bind(new EchoService())
        .listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    RpcClient client = client(1);
    Future<Void> call = client.channel(proxy.address())
        .call(RpcRequest.to(EchoService.BINDING, EchoService.NEVER).readOnly().build());
    Waiting.until(() -> service.never.size() == 1);
    proxy.redirect(SocketAddress.inetSocketAddress(other.actualPort(), "127.0.0.1"));
    proxy.cut();
    assertThat(Waiting.awaitFailure(call)).isInstanceOfSatisfying(RpcSecurityException.class,
        e -> assertThat(e.maybeExecuted()).isTrue());
    Waiting.await(client.close());
  }
}
