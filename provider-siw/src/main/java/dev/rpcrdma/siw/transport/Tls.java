package dev.rpcrdma.siw.transport;

import dev.rpcrdma.siw.TlsOptions;
import dev.rpcrdma.verbs.VerbsException;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.vertx.core.Vertx;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/** The TLS contexts of a device, made once from its options. Safe for all threads. */
public final class Tls {

  private final SslContext client;
  private final Optional<SslContext> server;
  private final int closeTimeoutMillis;

  private Tls(SslContext client, Optional<SslContext> server, int closeTimeoutMillis) {
    this.client = client;
    this.server = server;
    this.closeTimeoutMillis = closeTimeoutMillis;
  }

  /**
   * Reads keys and certificates.
   *
   * @param closeTimeoutMillis how long the last record may take to leave
   * @throws VerbsException of kind INVALID_ARGUMENT if they cannot be read or do not fit
   */
  public static Tls of(Vertx vertx, TlsOptions options, int closeTimeoutMillis) {
    try {
      KeyManagerFactory keys = options.identity().isEmpty() ? null
          : options.identity().get().getKeyManagerFactory(vertx);
      TrustManagerFactory trusted = options.trust().isEmpty() ? null
          : options.trust().get().getTrustManagerFactory(vertx);
      SslContext client = SslContextBuilder.forClient().sslProvider(SslProvider.JDK)
          .keyManager(keys).trustManager(trusted)
          .endpointIdentificationAlgorithm(options.verifyHost() ? "HTTPS" : null).build();
      SslContext server = keys == null ? null : SslContextBuilder.forServer(keys)
          .sslProvider(SslProvider.JDK).trustManager(trusted)
          .clientAuth(clientAuth(options)).build();
      return new Tls(client, Optional.ofNullable(server), closeTimeoutMillis);
    } catch (Exception e) {
      // What reading key stores and files may throw is as wide as that.
      throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT,
          "The siw setting 'tls' cannot be used: " + e.getMessage(), e);
    }
  }

  private static ClientAuth clientAuth(TlsOptions options) {
    return switch (options.clientAuth()) {
      case NONE -> ClientAuth.NONE;
      case REQUEST -> ClientAuth.OPTIONAL;
      case REQUIRED -> ClientAuth.REQUIRE;
    };
  }

  /** Whether there is a certificate to show to those who connect. */
  public boolean canListen() {
    return server.isPresent();
  }

  public SslHandler server(ByteBufAllocator allocator) {
    return timed(server.orElseThrow().newHandler(allocator));
  }

  public SslHandler client(ByteBufAllocator allocator, String host, int port) {
    return timed(client.newHandler(allocator, host, port));
  }

  /** The handshake is within the deadline of the whole startup, and needs none of its own. */
  private SslHandler timed(SslHandler handler) {
    handler.setHandshakeTimeoutMillis(0);
    handler.setCloseNotifyFlushTimeoutMillis(closeTimeoutMillis);
    return handler;
  }
}
