// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk.server;

import dev.rpcrdma.examples.desk.NewOrder;
import dev.rpcrdma.examples.desk.Order;
import io.vertx.core.Future;
import java.math.BigDecimal;
import java.util.List;

/** Says whether an order may be placed; may ask others for that. */
@FunctionalInterface
public interface RiskCheck {

  /**
   * Judges an order.
   *
   * @param order what a trader wants
   * @param price what each of it is expected to cost
   * @param open the orders that are open already
   * @param limit what all open orders may come to
   * @return fails if it may not be placed, best with a {@code ServiceException}
   */
  Future<Void> admit(NewOrder order, BigDecimal price, List<Order> open, BigDecimal limit);
}
