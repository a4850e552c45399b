package dev.rpcrdma.protocol.message;

import java.nio.ByteBuffer;

/** What an RPC message begins with, before arguments or results. */
public interface MessageHead {

  /**
   * How long it is.
   *
   * @return bytes
   */
  int headLength();

  /**
   * Writes it.
   *
   * @param target position advances by {@link #headLength()}
   */
  void writeHead(ByteBuffer target);
}
