// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nodes;

import dev.rpcrdma.service.ReadOnly;
import dev.rpcrdma.service.RpcProcedure;
import dev.rpcrdma.service.RpcProgram;
import io.vertx.core.Future;

/** What each node serves. */
@RpcProgram(number = 0x20060064, version = 1)
public interface Who {

  /**
   * Tells which node serves the call. It only looks, so a call that was sent to a node that dies goes to another one.
   *
   * @return the node's name
   */
  @RpcProcedure(1)
  @ReadOnly
  Future<String> serves();
}
