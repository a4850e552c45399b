// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.fabric;

import dev.rpcrdma.protocol.xdr.DataItem;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Where a connection gets registered memory from. May call its listeners from inside a method. */
public interface Memory {

  /**
   * Whether {@link #takeSendBuffer} may be called. Other connections take from the same buffers.
   *
   * @return true if there is one
   */
  default boolean hasSendBuffer() {
    return true;
  }

  /**
   * Waits for a send buffer.
   *
   * @param action run once, when there may be one; not from inside
   */
  default void awaitSendBuffer(Runnable action) {
    throw new IllegalStateException("There always is one");
  }

  /**
   * Takes a buffer for one message.
   *
   * @return at least as long as the connection's outbound inline threshold
   */
  MessageBuffer takeSendBuffer();

  /**
   * Takes memory for a chunk.
   *
   * @param length in bytes, at least 1
   * @param listener gets a pooled region of exactly that length
   */
  void allocate(int length, RegionListener listener);

  /**
   * Takes memory for a chunk, and has it filled; where that takes long, elsewhere and later.
   *
   * @param length in bytes, at least 1
   * @param source fills the whole region, once, perhaps on another thread; what it reads does not change
   *     until the listener has been called
   * @param listener gets the filled region, or hears why there is none: also that {@code source} has thrown
   */
  void allocateFilled(int length, Consumer<ByteBuffer> source, RegionListener listener);

  /**
   * The memory of a data item: its own if that can be registered, which adds an owner to the item,
   * otherwise a pooled copy.
   *
   * @param item at least 1 byte long
   * @param listener gets the region; freeing it takes the owner away again
   */
  void regionOf(DataItem item, RegionListener listener);
}
