// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.nodes;

import dev.rpcrdma.service.ReadOnly;
import dev.rpcrdma.service.RpcProcedure;
import dev.rpcrdma.service.RpcProgram;
import io.vertx.core.Future;

/** What nodes serve. */
@RpcProgram(number = 0x200600B0, version = 1)
public interface Counter {

  /**
   * Counts; not to be done twice.
   *
   * @param by how much
   * @return the same
   */
  @RpcProcedure(1)
  Future<Long> add(long by);

  /**
   * Only looks.
   *
   * @param value any
   * @return the same
   */
  @RpcProcedure(2)
  @ReadOnly
  Future<Long> look(long value);
}
