// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.resolver;

import dev.rpcrdma.api.impl.endpoint.ServerPlace;
import dev.rpcrdma.api.impl.resolver.RefreshedServers.Answer;
import dev.rpcrdma.api.resolver.DnsAddress;
import dev.rpcrdma.api.resolver.HostAddress;
import dev.rpcrdma.api.resolver.SrvAddress;
import io.vertx.core.Future;
import io.vertx.core.dns.DnsClient;
import io.vertx.core.dns.DnsException;
import io.vertx.core.dns.DnsResponseCode;
import io.vertx.core.dns.SrvRecord;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Servers that DNS knows.
 *
 * @param <E> the endpoint that core makes of them
 */
public final class DnsEndpoints<E> extends RefreshedEndpoints<DnsAddress, E> {

  /** Records that may not be kept would have DNS asked with each call. */
  private static final Duration SHORTEST_LIFE = Duration.ofSeconds(1);
  private static final Comparator<ServerPlace> ORDER = Comparator.comparing(ServerPlace::ip)
      .thenComparingInt(place -> place.address().port()).thenComparing(place -> place.address().host());

  /** As many as name servers follow, too. */
  private static final int MOST_ALIASES = 8;

  private final DnsClient client;
  private final Duration refresh;

  /**
   * Those that a client asks for.
   *
   * @param client becomes its own
   * @param refresh how long addresses of hosts are used
   */
  public DnsEndpoints(DnsClient client, Duration refresh) {
    this(client, refresh, System::nanoTime);
  }

  /** Those whose time is told by a clock, in nanoseconds. */
  DnsEndpoints(DnsClient client, Duration refresh, LongSupplier clock) {
    super(DnsAddress.class, "DNS", clock);
    this.client = client;
    this.refresh = refresh;
  }

  @Override
  Future<Answer> query(DnsAddress address) {
    return address instanceof SrvAddress srv ? services(srv) : host((HostAddress) address);
  }

  private Future<Answer> host(HostAddress host) {
    return addresses(host.name(), host.port()).map(found -> {
      List<ServerPlace> servers = sorted(List.of(found));
      return found.certain() ? new Answer(servers, refresh) : new Answer(servers, SHORTEST_LIFE, List.of());
    });
  }

  private Future<Answer> services(SrvAddress srv) {
    return client.resolveSRV(srv.name()).compose(all -> {
      int first = all.stream().mapToInt(SrvRecord::priority).min().orElse(0);
      // A target of the root says that there is no such service (RFC 2782).
      List<SrvRecord> records = all.stream()
          .filter(each -> each.priority() == first && !withoutDot(each.target()).isEmpty()).toList();
      Duration life = all.stream().map(each -> Duration.ofSeconds(each.ttl())).min(Comparator.naturalOrder())
          .filter(least -> least.compareTo(SHORTEST_LIFE) > 0).orElse(SHORTEST_LIFE);
      List<Future<Found>> each = records.stream()
          .map(record -> addresses(withoutDot(record.target()), record.port())).toList();
      // Of several names some may be known.
      return Future.join(each).transform(joined -> joined.failed() && each.stream().allMatch(Future::failed)
          ? Future.failedFuture(joined.cause()) : Future.succeededFuture(answer(each, life)));
    });
  }

  /** Of several names: one that nobody knows has no servers, one without an answer has those that it had. */
  private static Answer answer(List<Future<Found>> each, Duration life) {
    List<Found> found = each.stream().filter(Future::succeeded).map(Future::result).toList();
    List<ServerPlace> servers = sorted(found);
    boolean whole = each.stream().noneMatch(one -> passes(one.cause())) && found.stream().allMatch(Found::certain);
    return whole ? new Answer(servers, life)
        : new Answer(servers, SHORTEST_LIFE, sorted(found.stream().filter(Found::certain).toList()));
  }

  private static List<ServerPlace> sorted(List<Found> found) {
    // An address that several names have is one server.
    return ServerPlace.distinct(found.stream().flatMap(one -> one.servers().stream()).sorted(ORDER));
  }

  /** Whether a failure, if there is one, says nothing of the name. */
  private static boolean passes(Throwable cause) {
    return cause != null && !(cause instanceof DnsException answer && answer.code() == DnsResponseCode.NXDOMAIN);
  }

  /** Core's client has no name for the root. */
  private static String withoutDot(String name) {
    if (name == null) {
      return "";
    }
    return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
  }

  /**
   * The servers of a name.
   *
   * @param certain whether they are all of the family that is used; if not, nobody knows whether there is another
   */
  private record Found(List<ServerPlace> servers, boolean certain) {}

  private Future<Found> addresses(String name, int port) {
    return addresses(name, name, port, MOST_ALIASES);
  }

  /**
   * Of one family: a host with both would be two servers.
   *
   * @param named what servers are known by, whatever their name is an alias of
   * @param aliases how many names may stand between this one and its addresses
   */
  private Future<Found> addresses(String named, String name, int port, int aliases) {
    return client.resolveA(name).transform(four -> {
      if (four.failed()) {
        return six(named, name, port, !passes(four.cause())).recover(e -> Future.failedFuture(four.cause()));
      }
      if (!four.result().isEmpty()) {
        return Future.succeededFuture(found(named, four.result(), port, true));
      }
      // Core's client drops the addresses that are in the answer, since they are those of another name.
      return client.resolveCNAME(name).otherwise(List.of()).compose(alias ->
          alias.isEmpty() || aliases == 0 ? six(named, name, port, true)
              : addresses(named, withoutDot(alias.get(0)), port, aliases - 1));
    });
  }

  private Future<Found> six(String named, String name, int port, boolean certain) {
    return client.resolveAAAA(name).map(addresses -> found(named, addresses, port, certain));
  }

  private static Found found(String named, List<String> addresses, int port, boolean certain) {
    return new Found(addresses.stream().map(ip -> ServerPlace.resolved(named, ip, port)).toList(), certain);
  }

  @Override
  public void close() {
    client.close();
  }
}
