// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.resolver;

import dev.rpcrdma.api.impl.resolver.RefreshedServers.Answer;
import dev.rpcrdma.api.resolver.DnsAddress;
import dev.rpcrdma.api.resolver.HostAddress;
import dev.rpcrdma.api.resolver.SrvAddress;
import io.vertx.core.Future;
import io.vertx.core.dns.DnsClient;
import io.vertx.core.dns.SrvRecord;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Servers that DNS knows.
 *
 * @param <E> the endpoint that core makes of them
 */
public final class DnsEndpoints<E> extends RefreshedEndpoints<DnsAddress, E> {

  /** Records that may not be kept would have DNS asked with each call. */
  private static final Duration SHORTEST_LIFE = Duration.ofSeconds(1);
  private static final Comparator<SocketAddress> ORDER =
      Comparator.comparing(SocketAddress::host).thenComparingInt(SocketAddress::port);

  private final DnsClient client;
  private final Duration refresh;

  /**
   * Those that a client asks for.
   *
   * @param client becomes its own
   * @param refresh how long addresses of hosts are used
   */
  public DnsEndpoints(DnsClient client, Duration refresh) {
    super(DnsAddress.class, "DNS", System::nanoTime);
    this.client = client;
    this.refresh = refresh;
  }

  @Override
  Future<Answer> query(DnsAddress address) {
    return address instanceof SrvAddress srv ? services(srv) : host((HostAddress) address);
  }

  private Future<Answer> host(HostAddress host) {
    return addresses(host.name(), host.port())
        .map(servers -> new Answer(servers.stream().distinct().sorted(ORDER).toList(), refresh));
  }

  private Future<Answer> services(SrvAddress srv) {
    return client.resolveSRV(srv.name()).compose(all -> {
      int first = all.stream().mapToInt(SrvRecord::priority).min().orElse(0);
      // A target of the root says that there is no such service (RFC 2782).
      List<SrvRecord> records = all.stream()
          .filter(each -> each.priority() == first && !withoutDot(each.target()).isEmpty()).toList();
      Duration life = all.stream().map(each -> Duration.ofSeconds(each.ttl())).min(Comparator.naturalOrder())
          .filter(least -> least.compareTo(SHORTEST_LIFE) > 0).orElse(SHORTEST_LIFE);
      List<Future<List<SocketAddress>>> each = records.stream()
          .map(record -> addresses(withoutDot(record.target()), record.port())).toList();
      // Of several names some may be known.
      return Future.join(each).transform(joined -> joined.failed() && each.stream().allMatch(Future::failed)
          ? Future.failedFuture(joined.cause()) : Future.succeededFuture(new Answer(sorted(each), life)));
    });
  }

  private static List<SocketAddress> sorted(List<Future<List<SocketAddress>>> each) {
    Set<SocketAddress> all = new LinkedHashSet<>();
    each.stream().filter(Future::succeeded).forEach(addresses -> all.addAll(addresses.result()));
    List<SocketAddress> sorted = new ArrayList<>(all);
    sorted.sort(ORDER);
    return List.copyOf(sorted);
  }

  /** Core's client has no name for the root. */
  private static String withoutDot(String name) {
    if (name == null) {
      return "";
    }
    return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
  }

  /** Of one family: a host with both would be two servers. */
  private Future<List<SocketAddress>> addresses(String name, int port) {
    return client.resolveA(name).transform(four -> four.succeeded() && !four.result().isEmpty()
            ? Future.succeededFuture(four.result())
            : client.resolveAAAA(name).recover(
                e -> Future.failedFuture(four.failed() ? four.cause() : e)))
        .map(all -> all.stream().map(address -> SocketAddress.inetSocketAddress(port, address)).toList());
  }

  @Override
  public void close() {
    client.close();
  }
}
