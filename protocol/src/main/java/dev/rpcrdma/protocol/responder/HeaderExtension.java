// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.responder;

import dev.rpcrdma.protocol.wire.RawHeader;
import java.nio.ByteBuffer;

/**
 * An OPTIONAL header type that this end serves. Version 1 has none of its own: a peer is
 * only sent one that it knows, which it finds out by trying ({@code ConnectionMachine.extension}).
 */
public interface HeaderExtension {

  /**
   * The least body that every peer answers. Who does not know a type drops a message that is shorter
   * than a header of version 1 (C-08), and then the sender waits in vain.
   */
  int SAFE_LENGTH = RawHeader.SHORT_LENGTH - RawHeader.LENGTH;

  /**
   * Checks that a number is free for an OPTIONAL header type.
   *
   * @param procedure rdma_proc, unsigned
   * @throws IllegalArgumentException if it is one of version 1's own
   */
  static void checkProcedure(int procedure) {
    if (procedure >= 0 && procedure <= RawHeader.RDMA_ERROR) {
      throw new IllegalArgumentException("rdma_proc " + procedure + " is one of version 1's own");
    }
  }

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
