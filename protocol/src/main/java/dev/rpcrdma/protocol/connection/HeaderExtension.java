package dev.rpcrdma.protocol.connection;

import java.nio.ByteBuffer;

/**
 * An OPTIONAL header type that this end serves. Version 1 has none of its own: a peer is
 * only sent one that it knows, which it finds out by trying ({@link ConnectionMachine#extension}).
 */
public interface HeaderExtension {

  /**
   * Its number.
   *
   * @return rdma_proc, above {@code RDMA_ERROR}
   */
  int procedure();

  /**
   * Serves one. Called on the machine's thread.
   *
   * @param body what came behind the four fixed words, from index 0 to its limit; used only during this
   *     call
   * @return the body of the answer, which goes back in a message of the same type and XID
   * @throws IllegalArgumentException if the body cannot be understood; the peer is told ERR_CHUNK
   */
  byte[] received(ByteBuffer body);
}
