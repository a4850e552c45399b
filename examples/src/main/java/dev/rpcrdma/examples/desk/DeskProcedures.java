// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import dev.rpcrdma.service.Idempotent;
import dev.rpcrdma.service.MaxLength;
import dev.rpcrdma.service.ReadOnly;
import dev.rpcrdma.service.RpcProcedure;
import io.vertx.core.Future;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * What all versions of the desk have in common: the same numbers, and the same wire form. Each call names the tenant
 * whose desk it is about in the header {@value #TENANT}.
 */
public interface DeskProcedures {

  /** The header that names the tenant. */
  String TENANT = "tenant";

  /**
   * Cancels what is not filled of an order.
   *
   * @param id the order's
   * @return the order as it is then
   */
  @RpcProcedure(2)
  @Idempotent
  Future<Order> cancel(UUID id);

  /**
   * An order.
   *
   * @param id the order's
   * @return the order as it is
   */
  @RpcProcedure(3)
  @ReadOnly
  Future<Order> order(UUID id);

  /**
   * All orders that are not done.
   *
   * @return the oldest first
   */
  @RpcProcedure(4)
  @ReadOnly
  @MaxLength(10_000)
  Future<List<Order>> openOrders();

  /**
   * The trades that were made for an order.
   *
   * @param id the order's
   * @return the oldest first
   */
  @RpcProcedure(5)
  @ReadOnly
  @MaxLength(10_000)
  Future<List<Fill>> fills(UUID id);

  /**
   * What the market says.
   *
   * @param symbol of what
   * @return empty if nothing is known
   */
  @RpcProcedure(6)
  @ReadOnly
  Future<Optional<Quote>> quote(@MaxLength(12) String symbol);

  /**
   * What can be traded.
   *
   * @return symbols in their order
   */
  @RpcProcedure(7)
  @ReadOnly
  @MaxLength(10_000)
  Future<List<@MaxLength(12) String>> symbols();

  /**
   * What the desk has.
   *
   * @return a position for each symbol that was traded
   */
  @RpcProcedure(8)
  @ReadOnly
  @MaxLength(10_000)
  Future<List<Position>> positions();

  /**
   * What all open orders may come to.
   *
   * @return the limit
   */
  @RpcProcedure(9)
  @ReadOnly
  Future<BigDecimal> limit();

  /**
   * Sets what all open orders may come to.
   *
   * @param limit the new one
   * @return completes when it holds
   */
  @RpcProcedure(10)
  @Idempotent
  Future<Void> setLimit(BigDecimal limit);

  /**
   * Has the desk call this client back by {@link DeskEvents}: with the quotes of some symbols, of which it gets the
   * latest at once, and with the fills of its user's orders. It is forgotten when the desk is started again.
   *
   * @param symbols takes the place of those before
   * @return completes when it holds
   */
  @RpcProcedure(11)
  @Idempotent
  Future<Void> subscribe(@MaxLength(100) Set<@MaxLength(12) String> symbols);

  /**
   * Waits until an order is done, for nine tenths of the time that its caller has.
   *
   * @param id the order's
   * @return the order as it is then, done or not
   */
  @RpcProcedure(12)
  @ReadOnly
  Future<Order> waitForFill(UUID id);
}
