// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk.server;

import dev.rpcrdma.examples.desk.DeskFailures;
import dev.rpcrdma.examples.desk.LimitOrder;
import dev.rpcrdma.examples.desk.NewOrder;
import dev.rpcrdma.examples.desk.Order;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.serviceproxy.ServiceException;
import java.math.BigDecimal;
import java.util.List;

/** Lets all open orders come to no more than the limit. Market orders count when they are placed. */
public final class LimitCheck implements RiskCheck {

  /** Without state. */
  public LimitCheck() {}

  @Override
  public Future<Void> admit(NewOrder order, BigDecimal price, List<Order> open, BigDecimal limit) {
    BigDecimal wanted = price.multiply(BigDecimal.valueOf(order.quantity()));
    for (Order other : open) {
      if (other.terms().type() instanceof LimitOrder limited) {
        wanted = wanted.add(limited.price().multiply(BigDecimal.valueOf(other.open())));
      }
    }
    return wanted.compareTo(limit) <= 0 ? Future.succeededFuture()
        : Future.failedFuture(new ServiceException(DeskFailures.LIMIT_EXCEEDED,
            "All open orders would come to " + wanted.toPlainString() + ", more than " + limit.toPlainString(),
            new JsonObject().put("limit", limit.toPlainString()).put("wanted", wanted.toPlainString())));
  }
}
