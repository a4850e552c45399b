// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.impl.endpoint.EndpointCache;
import dev.rpcrdma.testkit.TinyDns;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.Endpoint;
import io.vertx.core.net.endpoint.LoadBalancer;
import io.vertx.core.net.endpoint.ServerEndpoint;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Servers that a name server on the loopback knows. */
class DnsResolverTest {

  private static final String SERVICE = "_orders._tcp.example.com";

  private final Vertx vertx = Vertx.vertx();
  private final TinyDns dns = new TinyDns(vertx);

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private EndpointCache<?, ?, ?> resolver() {
    return resolver(DnsResolver.DEFAULT_REFRESH);
  }

  private EndpointCache<?, ?, ?> resolver(Duration refresh) {
    return EndpointCache.of(DnsResolver.create(dns.options()).withRefresh(refresh).endpointResolver(vertx),
        LoadBalancer.ROUND_ROBIN, Duration.ofMinutes(1).toNanos(), System::nanoTime);
  }

  private static Future<Endpoint> lookUp(EndpointCache<?, ?, ?> resolver, DnsAddress address) {
    Promise<Endpoint> promise = Promise.promise();
    resolver.lookUp(address, promise);
    return promise.future();
  }

  private static List<String> servers(EndpointCache<?, ?, ?> resolver, DnsAddress address) {
    return texts(Waiting.await(lookUp(resolver, address)));
  }

  private static List<String> texts(Endpoint endpoint) {
    return endpoint.servers().stream().map(ServerEndpoint::address)
        .map(server -> server.hostAddress() + ":" + server.port()).toList();
  }

  private static List<String> names(EndpointCache<?, ?, ?> resolver, DnsAddress address) {
    return Waiting.await(lookUp(resolver, address)).servers().stream().map(server -> server.address().host()).toList();
  }

  /** Fails if {@code DnsEndpoints.found} leaves the name out, or takes that of an alias. */
  @Test
  @DisplayName("Servers keep the name that the user has said, or that an SRV record has, for TLS and Kerberos")
  void names() {
    dns.cname("orders.example.com", 60, "a.example.com").a("a.example.com", 60, 127, 0, 0, 2)
        .a("a.example.com", 60, 127, 0, 0, 3).a("b.example.com", 60, 127, 0, 0, 3)
        .srv(SERVICE, 60, 1, 20049, "a.example.com").srv(SERVICE, 60, 1, 20049, "b.example.com");
    EndpointCache<?, ?, ?> resolver = resolver();
    assertThat(names(resolver, DnsAddress.host("orders.example.com", 7)))
        .containsExactly("orders.example.com", "orders.example.com");
    assertThat(Waiting.await(lookUp(resolver, DnsAddress.host("orders.example.com", 7))).servers())
        .extracting(ServerEndpoint::key)
        .containsExactly("127.0.0.2/orders.example.com:7", "127.0.0.3/orders.example.com:7");
    assertThat(names(resolver, DnsAddress.srv(SERVICE))).as("an address that two names have is one server")
        .containsExactly("a.example.com", "a.example.com");
  }

  /** Fails if {@code RefreshedServers} compares addresses and not places. */
  @Test
  @DisplayName("A name that has got another address has another server")
  void moved() {
    dns.a("host.example.com", 60, 127, 0, 0, 2);
    EndpointCache<?, ?, ?> resolver = resolver(Duration.ofMillis(1));
    DnsAddress address = DnsAddress.host("host.example.com", 7);
    assertThat(servers(resolver, address)).containsExactly("127.0.0.2:7");
    dns.clear();
    dns.a("host.example.com", 60, 127, 0, 0, 3);
    Waiting.until(() -> servers(resolver, address).equals(List.of("127.0.0.3:7")));
  }

  @Test
  @DisplayName("SRV records are servers, those of the lowest priority, sorted, with all addresses of their targets")
  void srv() {
    dns.srv(SERVICE, 60, 1, 20049, "b.example.com").srv(SERVICE, 60, 1, 20050, "a.example.com")
        .srv(SERVICE, 60, 2, 20051, "c.example.com")
        .a("a.example.com", 60, 127, 0, 0, 3).a("a.example.com", 60, 127, 0, 0, 2)
        .a("b.example.com", 60, 127, 0, 0, 4).a("c.example.com", 60, 127, 0, 0, 5);
    EndpointCache<?, ?, ?> resolver = resolver();
    assertThat(servers(resolver, DnsAddress.srv(SERVICE)))
        .containsExactly("127.0.0.2:20050", "127.0.0.3:20050", "127.0.0.4:20049");
    int asked = dns.asked();
    servers(resolver, DnsAddress.srv(SERVICE));
    assertThat(dns.asked()).as("what is known is not asked for").isEqualTo(asked);
  }

  @Test
  @DisplayName("A name without A records has its AAAA records, and one with both its A records")
  void families() {
    dns.aaaa("six.example.com", 60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)
        .aaaa("both.example.com", 60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)
        .a("both.example.com", 60, 127, 0, 0, 9);
    EndpointCache<?, ?, ?> resolver = resolver();
    assertThat(servers(resolver, DnsAddress.host("six.example.com", 7))).singleElement().asString()
        .contains("1").endsWith(":7");
    assertThat(servers(resolver, DnsAddress.host("both.example.com", 7))).containsExactly("127.0.0.9:7");
  }

  /** Fails if {@code DnsEndpoints.addresses} does not ask what a name stands for. */
  @Test
  @DisplayName("An alias of an alias has the addresses of the last name; so has a target of SRV records")
  void aliases() {
    dns.cname("orders.example.com", 60, "balancer.example.com").cname("balancer.example.com", 60, "a.example.com")
        .a("a.example.com", 60, 127, 0, 0, 2).a("a.example.com", 60, 127, 0, 0, 3)
        .cname("six.example.com", 60, "b.example.com")
        .aaaa("b.example.com", 60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)
        .srv(SERVICE, 60, 1, 20049, "orders.example.com");
    EndpointCache<?, ?, ?> resolver = resolver();
    assertThat(servers(resolver, DnsAddress.host("orders.example.com", 7)))
        .containsExactly("127.0.0.2:7", "127.0.0.3:7");
    assertThat(servers(resolver, DnsAddress.host("six.example.com", 7))).singleElement().asString().endsWith(":7");
    assertThat(servers(resolver, DnsAddress.srv(SERVICE))).containsExactly("127.0.0.2:20049", "127.0.0.3:20049");
  }

  /** Fails if {@code DnsEndpoints} follows names without an end. */
  @Test
  @DisplayName("Names that stand for each other have no servers")
  void aliasesInCircle() {
    dns.cname("a.example.com", 60, "b.example.com").cname("b.example.com", 60, "a.example.com");
    assertThat(servers(resolver(), DnsAddress.host("a.example.com", 7))).isEmpty();
  }

  /** Fails if {@code RefreshedServers} does not heed the time to live. */
  @Test
  @DisplayName("DNS is asked again when the time of its answer is over, and what was known is used until it answers")
  void timeToLive() {
    dns.srv(SERVICE, 1, 1, 20049, "a.example.com").a("a.example.com", 60, 127, 0, 0, 2);
    EndpointCache<?, ?, ?> resolver = resolver();
    assertThat(servers(resolver, DnsAddress.srv(SERVICE))).containsExactly("127.0.0.2:20049");
    Endpoint endpoint = Waiting.await(lookUp(resolver, DnsAddress.srv(SERVICE)));
    dns.clear();
    dns.srv(SERVICE, 60, 1, 20050, "b.example.com").a("b.example.com", 60, 127, 0, 0, 3);
    long began = System.nanoTime();
    Waiting.until(() -> servers(resolver, DnsAddress.srv(SERVICE)).equals(List.of("127.0.0.3:20050")));
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(500));
    assertThat(endpoint.servers()).as("who has looked it up before sees it, too").hasSize(1)
        .allSatisfy(server -> assertThat(server.address().hostAddress()).isEqualTo("127.0.0.3"));
    int asked = dns.asked();
    servers(resolver, DnsAddress.srv(SERVICE));
    assertThat(dns.asked()).isEqualTo(asked);
  }

  /** Fails if {@code RefreshedServers} builds another endpoint though nothing has changed. */
  @Test
  @DisplayName("An answer that has not changed leaves load balancers what they know; so does none")
  void unchanged() {
    dns.a("host.example.com", 60, 127, 0, 0, 2);
    EndpointCache<?, ?, ?> resolver = resolver(Duration.ofMillis(5));
    DnsAddress host = DnsAddress.host("host.example.com", 7);
    ServerEndpoint server = Waiting.await(lookUp(resolver, host)).servers().get(0);
    int before = dns.asked();
    Waiting.until(() -> servers(resolver, host).size() == 1 && dns.asked() > before + 3);
    assertThat(Waiting.await(lookUp(resolver, host)).servers().get(0)).isSameAs(server);
    dns.failing(true);
    int failed = dns.asked();
    Waiting.until(() -> servers(resolver, host).size() == 1 && dns.asked() > failed);
    assertThat(Waiting.await(lookUp(resolver, host)).servers().get(0)).isSameAs(server);
    dns.failing(false);
    dns.clear();
    dns.a("host.example.com", 60, 127, 0, 0, 3);
    Waiting.until(() -> servers(resolver, host).equals(List.of("127.0.0.3:7")));
  }

  @Test
  @DisplayName("A name that DNS does not know fails, and is asked for again by the next; a service that says that it is"
      + " not there has no servers")
  void unknown() {
    EndpointCache<?, ?, ?> resolver = resolver();
    Waiting.awaitFailure(lookUp(resolver, DnsAddress.srv(SERVICE)));
    Waiting.awaitFailure(lookUp(resolver, DnsAddress.host("host.example.com", 7)));
    dns.srv(SERVICE, 60, 0, 0, "");
    assertThat(servers(resolver, DnsAddress.srv(SERVICE))).isEmpty();
  }

  @Test
  @DisplayName("Of several targets those count that are known")
  void someUnknown() {
    dns.srv(SERVICE, 60, 1, 20049, "a.example.com").srv(SERVICE, 60, 1, 20050, "gone.example.com")
        .a("a.example.com", 60, 127, 0, 0, 2);
    assertThat(servers(resolver(), DnsAddress.srv(SERVICE))).containsExactly("127.0.0.2:20049");
    dns.clear();
    dns.srv("other", 60, 1, 20050, "gone.example.com");
    Waiting.awaitFailure(lookUp(resolver(), DnsAddress.srv("other")));
  }

  @Test
  @DisplayName("A channel goes to what DNS says")
  void channel() {
    RpcServer server = RpcServer.create(vertx);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    dns.srv(SERVICE, 60, 1, server.actualPort(), "a.example.com").a("a.example.com", 60, 127, 0, 0, 1);
    RpcClient client = RpcClient.builder(vertx).withAddressResolver(DnsResolver.create(dns.options())).build();
    RpcChannel channel = client.channel(DnsAddress.srv(SERVICE));
    RpcConnection connection = Waiting.await(channel.connect());
    assertThat(connection.remoteAddress().port()).isEqualTo(server.actualPort());
    dns.failing(true);
    assertThat(Waiting.awaitFailure(client.channel(DnsAddress.host("other.example.com", 7)).connect()))
        .isInstanceOf(RpcConnectException.class).hasMessageContaining("other.example.com:7");
    Waiting.await(client.close());
    Waiting.await(server.close());
  }

  @Test
  void addressesAreChecked() {
    assertThatThrownBy(() -> DnsAddress.srv(" ")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> DnsAddress.host("", 7)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> DnsAddress.host("a", 0)).hasMessageContaining("1 to 65535");
    assertThatThrownBy(() -> DnsResolver.create().withRefresh(Duration.ZERO)).hasMessageContaining("1 ms to 1 day");
  }
}
