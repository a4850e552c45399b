// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.resolver;

import dev.rpcrdma.api.impl.resolver.DnsEndpoints;
import io.vertx.core.Vertx;
import io.vertx.core.dns.DnsClientOptions;
import io.vertx.core.net.AddressResolver;
import io.vertx.core.spi.endpoint.EndpointResolver;
import java.time.Duration;

/**
 * Asks DNS for servers, by core's own client.
 *
 * <pre>{@code
 * RpcClient client = RpcClient.builder(vertx).withAddressResolver(DnsResolver.create()).build();
 * RpcChannel orders = client.channel(DnsAddress.srv("_orders._tcp.example.com"));
 * }</pre>
 *
 * <p>What SRV records say is used for as long as their time to live says, of several the shortest, and for a second at
 * least. When that is over, the next call has DNS asked again, and goes on with what is known until there is an answer;
 * if there is none, so do others, and DNS is asked again a second later. An address that nobody has called until five
 * seconds after that is looked up anew: calls wait, and fail if there is no answer. Addresses of {@link HostAddress}
 * are asked for again each {@linkplain #withRefresh refresh period}, since core's client does not tell how long they
 * live. The servers that SRV records name are looked up with them.
 *
 * <p>Servers are sorted by address and port, and known to load balancers by both. Immutable.
 */
public final class DnsResolver implements AddressResolver<DnsAddress> {

  /** How long the addresses of a host are used. */
  public static final Duration DEFAULT_REFRESH = Duration.ofSeconds(30);

  private final DnsClientOptions options;
  private final Duration refresh;

  private DnsResolver(DnsClientOptions options, Duration refresh) {
    this.options = options;
    this.refresh = refresh;
  }

  /**
   * A resolver that asks the name servers of this host.
   *
   * @return the resolver
   */
  public static DnsResolver create() {
    return create(new DnsClientOptions());
  }

  /**
   * A resolver with options of its own.
   *
   * @param options which name server to ask, and how long an answer may take; copied
   * @return the resolver
   */
  public static DnsResolver create(DnsClientOptions options) {
    return new DnsResolver(new DnsClientOptions(options), DEFAULT_REFRESH);
  }

  /**
   * This resolver with another refresh period.
   *
   * @param period how long the addresses of a {@link HostAddress} are used, 1 ms to 1 day
   * @return a copy
   */
  public DnsResolver withRefresh(Duration period) {
    if (period.compareTo(Duration.ofMillis(1)) < 0 || period.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException("A refresh period is 1 ms to 1 day, not " + period);
    }
    return new DnsResolver(options, period);
  }

  @Override
  public EndpointResolver<DnsAddress, ?, ?, ?> endpointResolver(Vertx vertx) {
    return new DnsEndpoints<>(vertx.createDnsClient(new DnsClientOptions(options)), refresh);
  }
}
