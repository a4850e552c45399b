// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslHandler;

/**
 * The keys and certificates of a side that connects, read and checked ({@link dev.rpcrdma.verbs.tls.TlsLoader}). Safe
 * for all threads; never changes.
 */
public interface ClientTls {

  /**
   * Secures one connection. Whoever listens must prove to be the host, unless that is not to be looked at, and is told
   * its name (SNI) unless it is a number.
   *
   * @param allocator of the channel
   * @param host that is connected to
   * @param port that is connected to
   * @return a handler of its own for that connection's channel, with the handshake's deadline
   */
  SslHandler handler(ByteBufAllocator allocator, String host, int port);
}
