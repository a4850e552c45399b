// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import dev.rpcrdma.service.RpcProcedure;
import dev.rpcrdma.service.RpcProgram;
import io.vertx.core.Future;

/** The desk, version 1. */
@RpcProgram(number = 0x20060020, version = 1, callback = DeskEvents.class)
public interface Desk extends DeskProcedures {

  /**
   * Places an order. An order that is there already is not placed again.
   *
   * @param order what its trader wants
   * @return the order as it is then
   */
  @RpcProcedure(1)
  Future<Order> place(NewOrder order);
}
