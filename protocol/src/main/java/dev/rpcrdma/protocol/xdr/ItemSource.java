// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.xdr;

import java.util.Optional;

/**
 * Where a reader finds the data items that are not inline. One source belongs to one message.
 */
public interface ItemSource {

  /** The source of a message that has everything inline. */
  ItemSource NONE = new ItemSource() {
    @Override
    public Optional<DataItem> take(long position, int length) {
      return Optional.empty();
    }

    @Override
    public long nextPosition() {
      return Long.MAX_VALUE;
    }
  };

  /**
   * Takes the item whose length word has just been read.
   *
   * @param position offset of the item's first byte in the unreduced stream
   * @param length the item's length by its length word, possibly 0
   * @return the item; empty if its bytes are inline
   * @throws XdrException if there is an item whose size contradicts {@code length}
   */
  Optional<DataItem> take(long position, int length);

  /**
   * An item that is inline, as counted memory of its own that is lent as placed items are; it need not be copied for
   * who keeps it.
   *
   * @param offset of its first byte in the reduced stream
   * @param length in bytes
   * @return empty if the stream is not in memory that can be shared, or if it is not worth while
   */
  default Optional<DataItem> inline(int offset, int length) {
    return Optional.empty();
  }

  /**
   * The position of the next item that has not been taken, if positions are known.
   *
   * @return an offset in the unreduced stream, or {@link Long#MAX_VALUE}
   */
  long nextPosition();
}
