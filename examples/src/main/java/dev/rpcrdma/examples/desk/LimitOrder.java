// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import dev.rpcrdma.service.XdrCase;
import java.math.BigDecimal;

/**
 * At a price or a better one.
 *
 * @param price the most to pay for each, or the least to get; above zero
 */
@XdrCase(2)
public record LimitOrder(BigDecimal price) implements OrderType {

  /** Checks the price. */
  public LimitOrder {
    if (price.signum() <= 0) {
      throw new IllegalArgumentException("A limit is above zero, not " + price);
    }
  }
}
