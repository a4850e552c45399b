// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.tls;

import dev.rpcrdma.verbs.ClientTls;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.NetUtil;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLParameters;

/** The context of a side that connects. */
final class LoadedClientTls implements ClientTls {

  private final SslContext context;
  private final long handshakeMillis;

  LoadedClientTls(SslContext context, long handshakeMillis) {
    this.context = context;
    this.handshakeMillis = handshakeMillis;
  }

  @Override
  public SslHandler handler(ByteBufAllocator allocator, String host, int port) {
    SslHandler handler = context.newHandler(allocator, host, port);
    handler.setHandshakeTimeoutMillis(handshakeMillis);
    // By itself the JDK says no name without a dot, and hosts of a cluster have such.
    name(host).ifPresent(name -> {
      SSLParameters parameters = handler.engine().getSSLParameters();
      parameters.setServerNames(List.of(name));
      handler.engine().setSSLParameters(parameters);
    });
    return handler;
  }

  /**
   * RFC 6066 §3: no numbers, and no dot at the end of a name that is absolute; and what cannot be a name in a
   * certificate is not said.
   */
  private static Optional<SNIServerName> name(String host) {
    if (NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host)) {
      return Optional.empty();
    }
    try {
      return Optional.of(new SNIHostName(host.endsWith(".") ? host.substring(0, host.length() - 1) : host));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
