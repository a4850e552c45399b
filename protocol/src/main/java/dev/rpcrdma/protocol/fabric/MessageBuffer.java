// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.fabric;

import java.nio.ByteBuffer;

/** Registered memory for one message that is sent. It is reused, and never becomes anybody's data. */
public interface MessageBuffer {

  /**
   * The memory.
   *
   * @return a view from 0 to its length
   */
  ByteBuffer bytes();

  /** Gives the buffer back, when the Send from it has completed. It must not be used any more. */
  void free();
}
