// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.message;

import dev.rpcrdma.protocol.xdr.DataItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Data items that the reader of a message has taken, and has until the message is done with. */
public final class LentItems {

  private List<DataItem> items = List.of();

  /**
   * Lends one.
   *
   * @param item whose owner this is from now on
   * @return the item
   */
  public Optional<DataItem> lend(DataItem item) {
    if (items.isEmpty()) {
      items = new ArrayList<>(1);
    }
    items.add(item);
    return Optional.of(item);
  }

  /**
   * Takes all back; may be called again.
   *
   * @return false if the reader has released one that it was only lent
   */
  public boolean release() {
    boolean sound = true;
    for (DataItem item : items) {
      sound &= item.tryRelease();
    }
    items = List.of();
    return sound;
  }
}
