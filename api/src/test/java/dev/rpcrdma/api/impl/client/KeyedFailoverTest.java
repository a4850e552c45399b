// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.fixture.LedgerService;
import dev.rpcrdma.api.fixture.ServerGroup;
import dev.rpcrdma.testkit.CuttingProxy;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.AddressResolver;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls with routing keys, whose server cannot be reached any more. */
class KeyedFailoverTest {

  private static final String HOST = "127.0.0.1";

  private final Vertx vertx = Vertx.vertx();
  private final LedgerService first = new LedgerService(vertx);
  private final LedgerService second = new LedgerService(vertx);
  private CuttingProxy proxy;
  private SocketAddress direct;

  @BeforeEach
  void serve() {
    proxy = new CuttingProxy(vertx, server(first));
    Waiting.await(proxy.start());
    direct = server(second);
  }

  @AfterEach
  void close() {
    Waiting.await(proxy.close());
    Waiting.await(vertx.close());
  }

  private SocketAddress server(LedgerService service) {
    RpcServer server = Waiting.await(RpcServer.create(vertx, new RpcServerOptions().setProvider("siw")).bind(service)
        .listen(SocketAddress.inetSocketAddress(0, HOST)));
    return SocketAddress.inetSocketAddress(server.actualPort(), HOST);
  }

  /**
   * Fails if {@code ResolvedChannel.choose} takes the server that the key says though it is down, or {@code
   * ChannelCall.mayGoElsewhere} keeps what was not sent.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("A call that was not sent goes to another server, whatever its key; one that was sent waits for its own")
  void notSent(boolean byKeys) {
    RpcClientOptions options = new RpcClientOptions().setProvider("siw").setReconnectAttempts(0)
        .setReconnectDelay(Duration.ofMillis(5)).setMaxReconnectDelay(Duration.ofMillis(20));
    // Those of a fixed order, or by a ring of keys, on which the servers have any order.
    LoadBalancer balancer = byKeys ? LoadBalancer.CONSISTENT_HASHING : LoadBalancer.FIRST;
    RpcChannel channel = RpcClient.builder(vertx).with(options).withLoadBalancer(balancer)
        .withAddressResolver(AddressResolver.mappingResolver(name -> List.of(proxy.address(), direct)))
        .build().channel(ServerGroup.ADDRESS);
    Promise<Void> gate = first.hold();
    String key = byKeys ? keyOfFirst(channel) : "key";
    Future<Buffer> sent = channel.call(ServerGroup.keyed(ServerGroup.add(1), key));
    Future<Buffer> looks = channel.call(ServerGroup.keyed(ServerGroup.look(3), key));
    Waiting.until(() -> first.executions(1) + first.executions(3) == 2);
    Promise<Void> down = Promise.promise();
    channel.downHandler(why -> down.tryComplete());
    proxy.refuse(source -> true);
    Waiting.await(down.future());
    for (int i = 5; i < 25; i += 2) {
      Waiting.await(channel.call(ServerGroup.keyed(ServerGroup.add(i), key)));
      assertThat(second.executions(i)).isEqualTo(1);
    }
    assertThat(List.of(sent, looks)).noneMatch(Future::isComplete);
    proxy.refuse(source -> false);
    gate.complete();
    Waiting.await(sent);
    Waiting.await(looks);
    assertThat(second.executions(1) + second.executions(3)).isZero();
    assertThat(first.executions(1)).isEqualTo(1);
  }

  /** A key that leads to the first server: each call with another one is answered. */
  private String keyOfFirst(RpcChannel channel) {
    for (int i = 0; ; i++) {
      String key = "key " + i;
      int number = 1001 + 2 * i;
      channel.call(ServerGroup.keyed(ServerGroup.add(number), key));
      Waiting.until(() -> first.executions(number) + second.executions(number) == 1);
      if (first.executions(number) == 1) {
        return key;
      }
    }
  }
}
