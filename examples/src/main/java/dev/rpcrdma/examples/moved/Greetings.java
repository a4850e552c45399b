// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.moved;

import dev.rpcrdma.service.RpcProcedure;
import dev.rpcrdma.service.RpcProgram;
import io.vertx.core.Future;

/** A service that knows nothing of how it is called. */
@RpcProgram(number = 0x20060061, version = 1)
public interface Greetings {

  /**
   * Greets somebody.
   *
   * @param name who
   * @return a greeting
   */
  @RpcProcedure(1)
  Future<String> greet(String name);
}
