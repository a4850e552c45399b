// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.tls;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.SSLOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;

/** Contexts of the JDK's TLS, from Vert.x' options and from what was read for them. */
final class SslContexts {

  private SslContexts() {}

  /** Verifies the host by the options' algorithm; an empty one verifies nothing. */
  static SslContext client(ClientSSLOptions options, Credentials credentials) throws SSLException {
    SslContextBuilder builder = SslContextBuilder.forClient()
        .endpointIdentificationAlgorithm(options.getHostnameVerificationAlgorithm());
    if (credentials.keys() != null) {
      builder.keyManager(credentials.keys());
    }
    return build(builder, options, credentials.trust());
  }

  /** The certificate of those whom no name is said to. */
  static SslContext server(ServerSSLOptions options, Credentials credentials) throws SSLException {
    return server(options, credentials.keys(), credentials.trust());
  }

  /** Null if there is nothing for the name alone. */
  static SslContext server(ServerSSLOptions options, Credentials credentials, String name) throws SSLException {
    KeyManagerFactory keys = credentials.keys(name);
    TrustManagerFactory trust = credentials.trust(name);
    if (keys == null && trust == null) {
      return null;
    }
    return server(options, keys == null ? credentials.keys() : keys, trust == null ? credentials.trust() : trust);
  }

  private static SslContext server(ServerSSLOptions options, KeyManagerFactory keys, TrustManagerFactory trust)
      throws SSLException {
    SslContextBuilder builder = SslContextBuilder.forServer(keys).clientAuth(clientAuth(options));
    return build(builder, options, trust);
  }

  static ClientAuth clientAuth(ServerSSLOptions options) {
    // Vert.x takes null, and asks nobody.
    return options.getClientAuth() == null ? ClientAuth.NONE : switch (options.getClientAuth()) {
      case NONE -> ClientAuth.NONE;
      case REQUEST -> ClientAuth.OPTIONAL;
      case REQUIRED -> ClientAuth.REQUIRE;
    };
  }

  private static SslContext build(SslContextBuilder builder, SSLOptions options, TrustManagerFactory trust)
      throws SSLException {
    Collection<String> suites = options.getEnabledCipherSuites();
    return builder.sslProvider(SslProvider.JDK)
        .trustManager(trust)
        // Netty's own choice is narrower than the JDK's.
        .ciphers(suites.isEmpty() ? List.of(TlsRules.jdk().getDefaultSSLParameters().getCipherSuites()) : suites)
        .protocols(options.getEnabledSecureTransportProtocols())
        .build();
  }
}
