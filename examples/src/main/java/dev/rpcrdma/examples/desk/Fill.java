// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import dev.rpcrdma.service.MaxLength;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;

/**
 * A trade that was made for an order.
 *
 * @param order the order's id
 * @param symbol what was traded
 * @param side which way
 * @param quantity how many
 * @param price for each
 * @param time when
 */
public record Fill(UUID order, @MaxLength(12) String symbol, Side side, long quantity, BigDecimal price,
    Instant time) {

  /**
   * What the trade comes to.
   *
   * @return above zero
   */
  public BigDecimal amount() {
    return price.multiply(BigDecimal.valueOf(quantity));
  }
}
