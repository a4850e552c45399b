// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.fabric;

import dev.rpcrdma.protocol.xdr.DataItem;
import java.nio.ByteBuffer;

/** Registered memory with one owner. */
public interface Region {

  /**
   * The memory.
   *
   * @return a view from 0 to {@link #length()}
   */
  ByteBuffer bytes();

  /**
   * The size.
   *
   * @return bytes
   */
  int length();

  /**
   * Whose memory it is. Memory of a pool can be set aside while a peer may still write to it; memory
   * of the application cannot.
   *
   * @return true if it comes from a pool
   */
  boolean pooled();

  /**
   * Turns the region into a counted item and gives up ownership: the item's last release frees the
   * memory.
   *
   * @param length how many bytes of it, from its beginning
   * @return the item
   */
  DataItem toItem(int length);

  /** Gives the memory back. The region must not be used any more. */
  void free();
}
