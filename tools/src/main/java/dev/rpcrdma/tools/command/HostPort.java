// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.command;

import io.vertx.core.net.SocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code HOST:PORT}, for all commands; an IPv6 address stands in brackets. */
public final class HostPort implements ITypeConverter<SocketAddress> {

  private static final Pattern FORM = Pattern.compile("(?:\\[([^\\[\\]]+)]|([^:\\[\\]]+)):([^:]*)");

  /** For picocli. */
  public HostPort() {}

  @Override
  public SocketAddress convert(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      throw new TypeConversionException("not HOST:PORT: " + text);
    }
    String host = parts.group(1) == null ? parts.group(2) : parts.group(1);
    return SocketAddress.inetSocketAddress(port(text, parts.group(3)), host);
  }

  /**
   * Writes an address as {@link #convert} reads it.
   *
   * @param address of an IP socket
   * @return {@code HOST:PORT}
   */
  public static String text(SocketAddress address) {
    return host(address.host()) + ":" + address.port();
  }

  /**
   * Writes a host as it stands in front of a port.
   *
   * @param host a name, or an address
   * @return an IPv6 address in brackets, all else as it is
   */
  public static String host(String host) {
    return host.indexOf(':') < 0 ? host : "[" + host + "]";
  }

  private static int port(String text, String digits) {
    try {
      int port = Integer.parseInt(digits);
      if (port >= 1 && port <= Within.PORTS) {
        return port;
      }
    } catch (NumberFormatException e) {
      throw new TypeConversionException("not HOST:PORT: " + text);
    }
    throw new TypeConversionException("not HOST:PORT: " + text + " (the port is from 1 to " + Within.PORTS + ")");
  }
}
