// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.handler.ssl.SslHandler;
import java.util.function.Consumer;

/**
 * The keys and certificates of a side that listens, read and checked ({@link dev.rpcrdma.verbs.tls.TlsLoader}). Safe
 * for all threads; never changes.
 */
public interface ServerTls {

  /**
   * Secures one connection.
   *
   * @param allocator of the channel
   * @param made is given the connection's TLS: before this returns, or on the channel's event loop when the peer has
   *     said the name by which a certificate is chosen (SNI)
   * @return a handler of its own for that connection's channel, with the handshake's deadline
   */
  ChannelHandler handler(ByteBufAllocator allocator, Consumer<SslHandler> made);
}
