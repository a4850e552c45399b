// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import dev.rpcrdma.protocol.rpcbind.RpcbindProgram;
import dev.rpcrdma.tools.command.HostPort;
import io.vertx.core.net.SocketAddress;
import picocli.CommandLine.ITypeConverter;

/** Reads {@code HOST} or {@code HOST:PORT}; an IPv6 address stands in brackets if there is a port. */
final class RpcbindHost implements ITypeConverter<SocketAddress> {

  @Override
  public SocketAddress convert(String text) {
    boolean bareIpv6 = text.indexOf(':') != text.lastIndexOf(':') && text.indexOf('[') < 0;
    if (bareIpv6 || text.indexOf(':') < 0 || text.endsWith("]")) {
      return new HostPort().convert((bareIpv6 ? "[" + text + "]" : text) + ":" + RpcbindProgram.PORT);
    }
    return new HostPort().convert(text);
  }
}
