// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import dev.rpcrdma.service.MaxLength;
import java.util.UUID;

/**
 * What a trader wants.
 *
 * @param id chosen by the trader, so that an order that is placed again is known
 * @param symbol what to trade
 * @param side which way
 * @param quantity how many, 1 or more
 * @param type at which price
 */
public record NewOrder(UUID id, @MaxLength(12) String symbol, Side side, long quantity, OrderType type) {

  /** Checks the quantity. */
  public NewOrder {
    if (quantity < 1) {
      throw new IllegalArgumentException("A quantity is 1 or more, not " + quantity);
    }
  }
}
