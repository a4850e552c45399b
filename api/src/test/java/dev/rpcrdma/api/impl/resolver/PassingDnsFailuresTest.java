// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.resolver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.impl.endpoint.EndpointCache;
import dev.rpcrdma.api.resolver.DnsAddress;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.dns.DnsClient;
import io.vertx.core.dns.DnsException;
import io.vertx.core.dns.DnsResponseCode;
import io.vertx.core.dns.SrvRecord;
import io.vertx.core.net.endpoint.Endpoint;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** DNS that does not answer all questions: what it has not said is as it was known. */
class PassingDnsFailuresTest {

  private static final Duration REFRESH = Duration.ofSeconds(30);
  private static final Duration LIFE = Duration.ofHours(1);
  private static final DnsAddress SERVICE = DnsAddress.srv("_orders._tcp.example.com");
  private static final DnsAddress HOST = DnsAddress.host("both.example.com", 7);

  /** By question and name. */
  private final Map<String, Future<?>> answers = new HashMap<>();
  private final DnsClient dns = (DnsClient) Proxy.newProxyInstance(getClass().getClassLoader(),
      new Class<?>[] {DnsClient.class}, (proxy, method, arguments) ->
          answers.getOrDefault(method.getName() + " " + arguments[0], failed(DnsResponseCode.SERVFAIL)));
  private long now;
  private final EndpointCache<?, ?, ?> cache = EndpointCache.of(new DnsEndpoints<>(dns, REFRESH, () -> now),
      LoadBalancer.ROUND_ROBIN, Duration.ofMinutes(10).toNanos(), () -> now);

  private static Future<?> failed(DnsResponseCode code) {
    return Future.failedFuture(new DnsException(code));
  }

  private void says(String question, Object answer) {
    answers.put(question, answer instanceof DnsResponseCode code ? failed(code) : Future.succeededFuture(answer));
  }

  private static SrvRecord target(String name) {
    return (SrvRecord) Proxy.newProxyInstance(PassingDnsFailuresTest.class.getClassLoader(),
        new Class<?>[] {SrvRecord.class}, (proxy, method, arguments) -> switch (method.getName()) {
          case "ttl" -> LIFE.toSeconds();
          case "target" -> name;
          default -> 1;
        });
  }

  /** Servers as calls see them, when the time of those before is over and what is asked for is here. */
  private List<String> servers(DnsAddress address) {
    now += (address == HOST ? REFRESH : LIFE).toNanos();
    look(address);
    return look(address).servers().stream().map(server -> server.address().hostAddress()).sorted().toList();
  }

  private Endpoint look(DnsAddress address) {
    Promise<Endpoint> promise = Promise.promise();
    cache.lookUp(address, promise);
    return promise.future().result();
  }

  private void knowsTwo() {
    says("resolveSRV _orders._tcp.example.com", List.of(target("a"), target("b")));
    says("resolveA a", List.of("127.0.0.2"));
    says("resolveA b", List.of("127.0.0.3"));
    assertThat(servers(SERVICE)).containsExactly("127.0.0.2", "127.0.0.3");
  }

  /** Fails if {@code DnsEndpoints.answer} makes a whole one of a part. */
  @Test
  @DisplayName("A target without an answer keeps its server")
  void target() {
    knowsTwo();
    says("resolveA b", DnsResponseCode.SERVFAIL);
    says("resolveA a", List.of("127.0.0.2", "127.0.0.4"));
    assertThat(servers(SERVICE)).containsExactly("127.0.0.2", "127.0.0.3", "127.0.0.4");
    says("resolveA b", List.of("127.0.0.5"));
    now += Duration.ofSeconds(1).toNanos();
    look(SERVICE);
    assertThat(servers(SERVICE)).containsExactly("127.0.0.2", "127.0.0.4", "127.0.0.5");
  }

  /** Fails if {@code DnsEndpoints.passes} does not look at the code. */
  @Test
  @DisplayName("A target that nobody knows any more has no server")
  void unknownTarget() {
    knowsTwo();
    says("resolveA b", DnsResponseCode.NXDOMAIN);
    says("resolveAAAA b", DnsResponseCode.NXDOMAIN);
    assertThat(servers(SERVICE)).containsExactly("127.0.0.2");
  }

  @Test
  @DisplayName("Of a service that is asked for first, those targets are used that have an answer, for a second")
  void first() {
    says("resolveSRV _orders._tcp.example.com", List.of(target("a"), target("b")));
    says("resolveA a", List.of("127.0.0.2"));
    look(SERVICE);
    says("resolveA b", List.of("127.0.0.3"));
    now += Duration.ofMillis(900).toNanos();
    look(SERVICE);
    assertThat(look(SERVICE).servers()).hasSize(1);
    now += Duration.ofMillis(100).toNanos();
    look(SERVICE);
    assertThat(look(SERVICE).servers()).hasSize(2);
  }

  /** Fails if {@code DnsEndpoints.addresses} finds IPv6 certain though nobody has answered for IPv4. */
  @Test
  @DisplayName("A host does not change to IPv6 while nobody answers for IPv4")
  void family() {
    says("resolveA both.example.com", List.of("127.0.0.2"));
    says("resolveAAAA both.example.com", List.of("::1"));
    assertThat(servers(HOST)).containsExactly("127.0.0.2");
    says("resolveA both.example.com", DnsResponseCode.SERVFAIL);
    assertThat(servers(HOST)).containsExactly("127.0.0.2");
    says("resolveA both.example.com", List.of());
    now += Duration.ofSeconds(1).toNanos();
    look(HOST);
    assertThat(servers(HOST)).hasSize(1).doesNotContain("127.0.0.2");
  }
}
