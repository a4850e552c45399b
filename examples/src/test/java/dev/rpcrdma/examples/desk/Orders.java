// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;

/** Orders and quotes for tests. */
final class Orders {

  static final String ACME = "ACME";

  private Orders() {}

  static NewOrder order(Side side, long quantity, OrderType type) {
    return new NewOrder(UUID.randomUUID(), ACME, side, quantity, type);
  }

  static NewOrder buy(long quantity, String most) {
    return order(Side.BUY, quantity, new LimitOrder(new BigDecimal(most)));
  }

  static Quote quote(String bid, String ask, long size) {
    return new Quote(ACME, new BigDecimal(bid), new BigDecimal(ask), size,
        Instant.parse("2026-03-02T09:00:00.000000001Z"));
  }
}
