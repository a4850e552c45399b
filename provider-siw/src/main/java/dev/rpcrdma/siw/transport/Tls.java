// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.transport;

import dev.rpcrdma.verbs.ClientTls;
import dev.rpcrdma.verbs.ServerTls;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.vertx.core.net.SocketAddress;
import java.security.cert.Certificate;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import javax.net.ssl.SSLPeerUnverifiedException;

/** TLS of one channel, confined to its event loop. */
public final class Tls {

  private final boolean server;
  private final BiFunction<ByteBufAllocator, Consumer<SslHandler>, ChannelHandler> source;
  private final int closeTimeoutMillis;
  /** Null until the peer has said the name by which a certificate is chosen. */
  private SslHandler handler;

  private Tls(boolean server, BiFunction<ByteBufAllocator, Consumer<SslHandler>, ChannelHandler> source,
      int closeTimeoutMillis) {
    this.server = server;
    this.source = source;
    this.closeTimeoutMillis = closeTimeoutMillis;
  }

  /**
   * Of a channel that connects.
   *
   * @param closeTimeoutMillis how long the last record may take to leave
   */
  public static Tls client(ClientTls keys, SocketAddress remote, int closeTimeoutMillis) {
    return new Tls(false, (allocator, made) -> {
      SslHandler handler = keys.handler(allocator, remote.host(), remote.port());
      made.accept(handler);
      return handler;
    }, closeTimeoutMillis);
  }

  /**
   * Of a channel that was accepted.
   *
   * @param closeTimeoutMillis how long the last record may take to leave
   */
  public static Tls server(ServerTls keys, int closeTimeoutMillis) {
    return new Tls(true, keys::handler, closeTimeoutMillis);
  }

  void install(Channel channel) {
    if (server) {
      channel.pipeline().addLast(new TlsExpected());
    }
    channel.pipeline().addLast(source.apply(channel.alloc(), this::made));
  }

  private void made(SslHandler made) {
    made.setCloseNotifyFlushTimeoutMillis(closeTimeoutMillis);
    handler = made;
  }

  /** Done when the peer is known; of a channel that connects. */
  Future<Channel> handshake() {
    return handler.handshakeFuture();
  }

  /** What the peer has proved who it is by; empty if it has not. */
  List<Certificate> peerCertificates() {
    try {
      return handler == null ? List.of() : List.of(handler.engine().getSession().getPeerCertificates());
    } catch (SSLPeerUnverifiedException e) {
      return List.of();
    }
  }

  /** By what this end has proved who it is; empty if it has not. */
  List<Certificate> localCertificates() {
    Certificate[] shown = handler == null ? null : handler.engine().getSession().getLocalCertificates();
    return shown == null ? List.of() : List.of(shown);
  }

  /** Tells the peer that nothing follows. */
  Future<Void> closeOutbound(Channel channel) {
    return handler == null ? channel.newSucceededFuture() : handler.closeOutbound();
  }
}
