// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import dev.rpcrdma.service.RpcProcedure;
import dev.rpcrdma.service.RpcProgram;
import io.vertx.core.Future;
import java.util.UUID;

/** The desk, version 2: orders have a time, and can be replaced. */
@RpcProgram(number = 0x20060020, version = 2, callback = DeskEvents.class)
public interface DeskV2 extends DeskProcedures {

  /**
   * Places an order. An order that is there already is not placed again.
   *
   * @param order what its trader wants, and for how long
   * @return the order as it is then
   */
  @RpcProcedure(1)
  Future<Order> place(TimedOrder order);

  /**
   * Cancels an order and places another one instead, or does neither.
   *
   * @param id the order to cancel
   * @param order what takes its place, with an id of its own
   * @return the new order as it is then
   */
  @RpcProcedure(13)
  Future<Order> replace(UUID id, NewOrder order);
}
