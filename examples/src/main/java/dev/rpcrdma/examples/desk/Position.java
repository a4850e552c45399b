// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import dev.rpcrdma.service.MaxLength;
import java.math.BigDecimal;

/**
 * What a desk has of a symbol.
 *
 * @param symbol of what
 * @param quantity how many; below zero if more were sold than bought
 * @param paid for all of them, less what was got for those that were sold
 */
public record Position(@MaxLength(12) String symbol, long quantity, BigDecimal paid) {

  /**
   * This position after a trade.
   *
   * @param fill the trade
   * @return a new one
   */
  public Position with(Fill fill) {
    return fill.side() == Side.BUY ? new Position(symbol, quantity + fill.quantity(), paid.add(fill.amount()))
        : new Position(symbol, quantity - fill.quantity(), paid.subtract(fill.amount()));
  }
}
