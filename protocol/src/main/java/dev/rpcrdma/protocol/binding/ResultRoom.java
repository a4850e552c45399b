// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.binding;

import dev.rpcrdma.protocol.xdr.DataItem;
import java.util.Optional;

/** Room for one DDP-eligible result. */
public interface ResultRoom {

  /**
   * The largest item.
   *
   * @return a number of bytes, not negative
   */
  int maxLength();

  /**
   * The application's memory for it.
   *
   * @return empty for pool memory
   */
  Optional<? extends DataItem> target();
}
