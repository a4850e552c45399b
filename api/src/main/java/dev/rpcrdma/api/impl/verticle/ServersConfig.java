// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.verticle;

import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.impl.resolver.ServersJson;
import dev.rpcrdma.api.resolver.DnsAddress;
import dev.rpcrdma.api.resolver.DnsResolver;
import dev.rpcrdma.api.resolver.ProgramAddress;
import dev.rpcrdma.api.resolver.ServiceName;
import dev.rpcrdma.api.resolver.StaticResolver;
import dev.rpcrdma.api.spi.ServerDiscovery;
import dev.rpcrdma.verbs.options.JsonChecks;
import io.vertx.core.dns.DnsClientOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.Address;
import io.vertx.core.net.AddressResolver;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Where the calls of a client go, as a configuration says it: to several servers that are written down, or that DNS or
 * an optional module knows, and how one of them is chosen; or to one server.
 */
public final class ServersConfig {

  private static final String BALANCER = "loadBalancer";

  /** Besides those of optional modules. */
  static final Set<String> KEYS = Set.of("host", "port", "servers", "dns", BALANCER);

  private static final Set<String> DNS_KEYS = Set.of("srv", "host", "port", "refresh", "nameServer");
  private static final Map<String, LoadBalancer> BALANCERS = new LinkedHashMap<>();

  static {
    BALANCERS.put("round_robin", LoadBalancer.ROUND_ROBIN);
    BALANCERS.put("least_requests", LoadBalancer.LEAST_REQUESTS);
    BALANCERS.put("random", LoadBalancer.RANDOM);
    BALANCERS.put("power_of_two_choices", LoadBalancer.POWER_OF_TWO_CHOICES);
    BALANCERS.put("consistent_hashing", LoadBalancer.CONSISTENT_HASHING);
    BALANCERS.put("first", LoadBalancer.FIRST);
  }

  private final Address address;
  /** Null if there is one server. */
  private final AddressResolver<?> resolver;
  private final LoadBalancer balancer;

  private ServersConfig(Address address, AddressResolver<?> resolver, LoadBalancer balancer) {
    this.address = address;
    this.resolver = resolver;
    this.balancer = balancer;
  }

  /**
   * Reads it.
   *
   * @param config the configuration of a client
   * @param json the same
   * @param discoveries those of optional modules
   * @param program what to look for, unless {@code json} names another; empty if it has to
   * @throws IllegalArgumentException if something is wrong
   */
  static ServersConfig of(VerticleConfig config, JsonObject json, Discoveries discoveries,
      Optional<ProgramAddress> program) {
    List<String> several = Stream.concat(Stream.of("servers", "dns"), discoveries.keys().stream()).toList();
    List<String> said = several.stream().filter(json::containsKey).toList();
    if (said.size() > 1 || !said.isEmpty() && (json.containsKey("host") || json.containsKey("port"))) {
      throw new IllegalArgumentException("A configuration has host and port, " + anyOf(several) + ", one of them"
          + " alone");
    }
    if (said.isEmpty()) {
      if (json.containsKey(BALANCER)) {
        throw new IllegalArgumentException(BALANCER + " chooses among several servers: those of " + anyOf(several));
      }
      return new ServersConfig(config.address(), null, LoadBalancer.ROUND_ROBIN);
    }
    LoadBalancer balancer = balancer(json);
    String key = said.get(0);
    return switch (key) {
      case "servers" -> written(json, balancer);
      case "dns" -> dns(JsonChecks.value(json, "dns", JsonObject.class, "an object"), balancer);
      default -> {
        ServerDiscovery.Target target =
            discoveries.get(key).find(JsonChecks.value(json, key, JsonObject.class, "an object"), program);
        yield new ServersConfig(target.address(), target.resolver(), balancer);
      }
    };
  }

  private static String anyOf(List<String> keys) {
    int last = keys.size() - 1;
    return String.join(", ", keys.subList(0, last)) + " or " + keys.get(last);
  }

  private static LoadBalancer balancer(JsonObject json) {
    String allowed = "one of " + String.join(", ", BALANCERS.keySet());
    String name = JsonChecks.value(json, BALANCER, String.class, allowed, "round_robin");
    LoadBalancer balancer = BALANCERS.get(name);
    if (balancer == null) {
      throw JsonChecks.wrong(BALANCER, allowed, name);
    }
    return balancer;
  }

  private static ServersConfig written(JsonObject json, LoadBalancer balancer) {
    String allowed = "an array of servers, of one at least";
    JsonArray array = JsonChecks.value(json, "servers", JsonArray.class, allowed);
    if (array.isEmpty()) {
      throw JsonChecks.wrong("servers", allowed, array);
    }
    ServiceName name = ServiceName.of("servers");
    return new ServersConfig(name,
        StaticResolver.of(Map.of(name.name(), ServersJson.servers("An element of servers", array))), balancer);
  }

  private static ServersConfig dns(JsonObject json, LoadBalancer balancer) {
    JsonChecks.checkKeys(json, DNS_KEYS, "dns");
    DnsClientOptions options = new DnsClientOptions();
    if (json.containsKey("nameServer")) {
      SocketAddress asked = ServersJson.server("nameServer", json.getValue("nameServer"));
      options.setHost(asked.host()).setPort(asked.port());
    }
    DnsResolver resolver = DnsResolver.create(options)
        .withRefresh(JsonChecks.duration(json, "refresh", DnsResolver.DEFAULT_REFRESH));
    return new ServersConfig(dnsAddress(json), resolver, balancer);
  }

  private static DnsAddress dnsAddress(JsonObject json) {
    if (!json.containsKey("srv")) {
      return DnsAddress.host(JsonChecks.value(json, "host", String.class, "a host's name"),
          JsonChecks.number(json, "port", 1, 65535, "a port, 1 to 65535"));
    }
    if (json.containsKey("host") || json.containsKey("port")) {
      throw new IllegalArgumentException("dns has srv, or host and port, not both");
    }
    return DnsAddress.srv(JsonChecks.value(json, "srv", String.class, "the name of SRV records"));
  }

  /** What a channel is made for. */
  public Address address() {
    return address;
  }

  /** How one of several servers is chosen. */
  LoadBalancer balancer() {
    return balancer;
  }

  /** Has a client find the servers. */
  public RpcClient.RpcClientBuilder prepare(RpcClient.RpcClientBuilder builder) {
    return resolver == null ? builder : builder.withAddressResolver(resolver).withLoadBalancer(balancer);
  }
}
