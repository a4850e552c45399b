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
    try {
      if (colon > 0 && (host.indexOf(':') < 0 || host.endsWith("]"))) {
        return SocketAddress.inetSocketAddress(Integer.parseInt(text.substring(colon + 1)),
            host.replaceAll("[\\[\\]]", ""));
      }
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException("not HOST:PORT: " + text + " (" + e.getMessage() + ")");
    }
    throw new TypeConversionException("not HOST:PORT: " + text);
  }
}
