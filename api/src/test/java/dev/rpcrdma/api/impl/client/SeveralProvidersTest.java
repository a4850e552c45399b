// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.ChannelSnapshot;
import dev.rpcrdma.api.ConnectionSnapshot;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcListenException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.FreePort;
import dev.rpcrdma.testkit.LoggedMessages;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.fabric.MemoryFabric;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers that listen on several providers, and clients that prefer one. */
@Tag("slow")
class SeveralProvidersTest {

  private static final JsonObject NONE = new JsonObject();

  private final Vertx vertx = Vertx.vertx();
  private final EchoService service = new EchoService();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private RpcServer serve(RpcServerOptions options) {
    RpcServer server = RpcServer.create(vertx, options).bind(service);
    return Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
  }

  private static RpcServerOptions both() {
    return new RpcServerOptions().addProvider("siw", NONE).addProvider("memory", NONE);
  }

  private RpcChannel channel(RpcServer server, RpcClientOptions options) {
    return RpcClient.create(vertx, options)
        .channel(SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
  }

  private static RpcClientOptions preferring(String... names) {
    RpcClientOptions options = new RpcClientOptions();
    List.of(names).forEach(name -> options.addProvider(name, NONE));
    return options;
  }

  private static ChannelSnapshot called(RpcChannel channel) {
    Waiting.await(channel.call(EchoService.echo(new byte[1])));
    return Waiting.await(channel.snapshot());
  }

  @Test
  @DisplayName("A server is reached over each of its providers, at one address")
  void overEach() {
    RpcServer server = serve(both());
    for (String provider : List.of("siw", "memory")) {
      ChannelSnapshot snapshot = called(channel(server, preferring(provider)));
      assertThat(snapshot.provider()).contains(provider);
      assertThat(snapshot.fallbacks()).isZero();
    }
    assertThat(Waiting.await(server.snapshot()).connections()).extracting(ConnectionSnapshot::provider)
        .containsExactlyInAnyOrder("siw", "memory");
  }

  @Test
  @DisplayName("A client takes the first of its providers, and no other unless it may")
  void noFallback() {
    RpcServer server = serve(new RpcServerOptions().setProvider("siw"));
    RpcChannel channel = channel(server, preferring("memory", "siw"));
    assertThat(Waiting.awaitFailure(channel.call(EchoService.echo(new byte[1]))))
        .isInstanceOf(RpcConnectException.class);
    assertThat(Waiting.await(channel.snapshot()).fallbacks()).isZero();
    assertThat(called(channel(serve(both()), preferring("memory", "siw"))).provider()).contains("memory");
  }

  @Test
  @DisplayName("Falling back is logged, counted and shown, also from a provider that is not there")
  void fallback() {
    RpcServer server = serve(new RpcServerOptions().setProvider("siw"));
    try (LoggedMessages log = new LoggedMessages("dev.rpcrdma.api.impl.client.RpcClientImpl")) {
      RpcChannel channel =
          channel(server, preferring("infiniband9000", "memory", "siw").setProviderFallback(true));
      ChannelSnapshot snapshot = called(channel);
      assertThat(snapshot.provider()).contains("siw");
      assertThat(snapshot.fallbacks()).isEqualTo(2);
      assertThat(log.all()).hasSize(2);
      assertThat(log.all().get(0)).contains("infiniband9000", "falling back to memory", "127.0.0.1");
      assertThat(log.all().get(1)).contains("provider memory", "falling back to siw");
    }
  }

  @Test
  @DisplayName("A call that is under way when a provider fails is executed once, over the other one")
  void changeover() {
    RpcServer first = serve(both());
    SocketAddress address = SocketAddress.inetSocketAddress(first.actualPort(), RpcBed.HOST);
    RpcChannel channel = channel(first, preferring("memory", "siw").setProviderFallback(true)
        .setConnectTimeout(Duration.ofMillis(500)));
    assertThat(called(channel).provider()).contains("memory");
    Future<Void> call = channel.call(EchoService.call(EchoService.NEVER));
    Waiting.until(() -> service.never.size() == 1);
    // From now on nobody gets through by the fabric of this process.
    MemoryFabric.of(vertx).partition();
    Waiting.await(Waiting.await(channel.connect()).shutdown(Duration.ZERO));
    Waiting.until(() -> Waiting.await(channel.snapshot()).provider().equals(Optional.of("siw")));
    assertThat(Waiting.await(channel.snapshot()).address()).isEqualTo(address);
    service.never.get(0).complete(XdrEncoder.VOID);
    Waiting.await(call);
    assertThat(service.never).hasSize(1);
  }

  @Test
  @DisplayName("A server that cannot listen on one of its providers listens on none, and can do so later")
  void allOrNothing() {
    // One that no socket of this machine has: memory's own numbers may be taken there.
    SocketAddress address = SocketAddress.inetSocketAddress(FreePort.find(), RpcBed.HOST);
    RpcServer taken = Waiting.await(RpcServer.create(vertx, new RpcServerOptions().setProvider("memory"))
        .bind(service).listen(address));
    RpcServer server = RpcServer.create(vertx, both()).bind(service);
    assertThat(Waiting.awaitFailure(server.listen(address))).isInstanceOf(RpcListenException.class);
    Waiting.await(taken.close());
    Waiting.await(server.listen(address));
    called(channel(server, preferring("siw")));
  }

  @Test
  @DisplayName("What is said of providers in JSON, and what is refused")
  void json() {
    RpcServerOptions options = both();
    assertThat(options.toJson().getJsonArray("providers")).isEqualTo(new JsonArray()
        .add(new JsonObject().put("name", "siw").put("options", NONE))
        .add(new JsonObject().put("name", "memory").put("options", NONE)));
    assertThat(new RpcServerOptions(options).getProviders()).isEqualTo(options.getProviders());
    assertThat(new RpcServerOptions(new JsonObject().put("providers", new JsonArray().add("siw").add("memory")))
        .getProviders()).isEqualTo(options.getProviders());
    for (Object wrong : List.of("siw", new JsonArray().add(1), new JsonArray().add(new JsonObject()),
        new JsonArray().add(new JsonObject().put("name", "siw").put("settings", NONE)))) {
      assertThatThrownBy(() -> new RpcServerOptions(new JsonObject().put("providers", wrong)))
          .hasMessageContaining("providers is an array of names");
    }
    assertThatThrownBy(() -> options.addProvider("siw", NONE)).hasMessageContaining("each another one");
    assertThatThrownBy(() -> options.addProvider("", NONE)).hasMessageContaining("have names");
    assertThatThrownBy(() -> RpcClient.create(vertx, preferring("siw", "memory").setCapture("a.pcapng")))
        .hasMessageContaining("capture takes the traffic of one provider");
  }
}
