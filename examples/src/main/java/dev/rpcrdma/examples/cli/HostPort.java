// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.cli;

import io.vertx.core.net.SocketAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code HOST:PORT}; an IPv6 address stands in brackets. */
final class HostPort implements ITypeConverter<SocketAddress> {

  @Override
  public SocketAddress convert(String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? text : text.substring(0, colon);
    if (colon > 0 && (host.indexOf(':') < 0 || host.endsWith("]"))) {
      return SocketAddress.inetSocketAddress(port(text, text.substring(colon + 1)), host.replaceAll("[\\[\\]]", ""));
    }
    throw new TypeConversionException("not HOST:PORT: " + text);
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
