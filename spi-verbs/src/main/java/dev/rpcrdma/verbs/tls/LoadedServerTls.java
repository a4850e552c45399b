// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.tls;

import dev.rpcrdma.verbs.ServerTls;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.handler.ssl.SniHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AsyncMapping;
import java.util.function.Consumer;

/** The contexts of a side that listens: one, or one for each name. */
final class LoadedServerTls implements ServerTls {

  /** A ClientHello has some hundred bytes, or a few thousand with keys against quantum computers. */
  private static final int LONGEST_HELLO = 1 << 16;

  private final SslContext context;
  private final AsyncMapping<String, SslContext> names;
  private final long handshakeMillis;

  /**
   * Contexts that are ready.
   *
   * @param names null if there is one context for all names
   */
  LoadedServerTls(SslContext context, AsyncMapping<String, SslContext> names, long handshakeMillis) {
    this.context = context;
    this.names = names;
    this.handshakeMillis = handshakeMillis;
  }

  @Override
  public ChannelHandler handler(ByteBufAllocator allocator, Consumer<SslHandler> made) {
    return names == null ? handler(context, allocator, made) : new ByName(made);
  }

  private SslHandler handler(SslContext chosen, ByteBufAllocator allocator, Consumer<SslHandler> made) {
    SslHandler handler = chosen.newHandler(allocator);
    handler.setHandshakeTimeoutMillis(handshakeMillis);
    made.accept(handler);
    return handler;
  }

  /** Chooses by the name that the peer says; by default the certificate that there is without names. */
  private final class ByName extends SniHandler {

    private final Consumer<SslHandler> made;

    ByName(Consumer<SslHandler> made) {
      super(names, LONGEST_HELLO, handshakeMillis);
      this.made = made;
    }

    @Override
    protected SslHandler newSslHandler(SslContext chosen, ByteBufAllocator allocator) {
      return handler(chosen, allocator, made);
    }
  }
}
