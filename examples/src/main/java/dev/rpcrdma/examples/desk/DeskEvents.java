// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import dev.rpcrdma.service.RpcProcedure;
import dev.rpcrdma.service.RpcProgram;
import io.vertx.core.Future;

/** What the desk tells its clients, over the connections that they have made. */
@RpcProgram(number = 0x20060021, version = 1)
public interface DeskEvents {

  /**
   * A trade was made for an order of this client's user.
   *
   * @param fill the trade
   * @return completes when the client has taken notice
   */
  @RpcProcedure(1)
  Future<Void> filled(Fill fill);

  /**
   * The market has moved.
   *
   * @param quote what it says now
   * @return completes when the client has taken notice
   */
  @RpcProcedure(2)
  Future<Void> quoted(Quote quote);
}
