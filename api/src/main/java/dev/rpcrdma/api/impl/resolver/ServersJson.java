// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.resolver;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Servers by the names of services, in JSON; nothing is guessed. */
public final class ServersJson {

  private static final String ALLOWED =
      "a text such as \"10.0.0.7:20049\" or \"[fd00::7]:20049\", or an object with host and port";
  private static final Pattern TEXT = Pattern.compile("(?:\\[([^\\[\\]]+)]|([^:\\[\\]]+)):(\\d{1,5})");
  private static final Set<String> KEYS = Set.of("host", "port");

  private ServersJson() {}

  /**
   * Reads all services.
   *
   * @throws IllegalArgumentException if one is something else than an array of servers
   */
  public static Map<String, List<SocketAddress>> read(JsonObject json) {
    Map<String, List<SocketAddress>> services = new LinkedHashMap<>();
    for (Map.Entry<String, Object> service : json) {
      if (!(service.getValue() instanceof JsonArray array)) {
        throw new IllegalArgumentException(service.getKey() + " is an array of servers, not " + service.getValue());
      }
      services.put(service.getKey(), servers("A server of " + service.getKey(), array));
    }
    return services;
  }

  /**
   * Reads the servers of one service.
   *
   * @param each what an element is, for the message
   * @throws IllegalArgumentException if one is something else than a server
   */
  public static List<SocketAddress> servers(String each, JsonArray array) {
    List<SocketAddress> servers = new ArrayList<>();
    array.forEach(server -> servers.add(server(each, server)));
    return servers;
  }

  /**
   * Reads one server.
   *
   * @param what it is, for the message
   * @throws IllegalArgumentException if it is something else
   */
  public static SocketAddress server(String what, Object json) {
    if (json instanceof String text) {
      Matcher matcher = TEXT.matcher(text);
      if (matcher.matches()) {
        String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        return address(what, host, Integer.parseInt(matcher.group(3)), text);
      }
    } else if (json instanceof JsonObject object && object.fieldNames().equals(KEYS)
        && object.getValue("host") instanceof String host && !host.isBlank()
        && object.getValue("port") instanceof Integer port) {
      return address(what, host, port, json);
    }
    throw new IllegalArgumentException(what + " is " + ALLOWED + ", not " + json);
  }

  private static SocketAddress address(String what, String host, int port, Object json) {
    if (port < 1 || port > 65535) {
      throw new IllegalArgumentException(what + " has a port of 1 to 65535, not that of " + json);
    }
    return SocketAddress.inetSocketAddress(port, host);
  }
}
