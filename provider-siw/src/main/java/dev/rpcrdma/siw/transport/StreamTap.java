// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.transport;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** Sees the bytes of one connection, for a capture. */
public interface StreamTap {

  /** Sees nothing. */
  StreamTap NONE = new StreamTap() {

    @Override
    public void open(boolean initiator, InetSocketAddress local, InetSocketAddress remote) {}

    @Override
    public void received(ByteBuffer bytes, int from, int to) {}

    @Override
    public void sent(ByteBuffer bytes) {}

    @Override
    public void close() {}
  };

  /** The connection is up. */
  void open(boolean initiator, InetSocketAddress local, InetSocketAddress remote);

  /** Bytes have been read. */
  void received(ByteBuffer bytes, int from, int to);

  /** Bytes are handed to the channel, from position to limit, which stay. */
  void sent(ByteBuffer bytes);

  /** The connection is gone. Idempotent. */
  void close();
}
