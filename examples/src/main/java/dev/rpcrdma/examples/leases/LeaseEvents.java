// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.leases;

import dev.rpcrdma.service.Idempotent;
import dev.rpcrdma.service.RpcProcedure;
import dev.rpcrdma.service.RpcProgram;
import io.vertx.core.Future;

/** What the server says to those who hold leases. */
@RpcProgram(number = 0x20060063, version = 1)
public interface LeaseEvents {

  /**
   * Recalls a lease.
   *
   * @param key of what
   * @return completes when it is given up
   */
  @RpcProcedure(1)
  @Idempotent
  Future<Void> recall(String key);
}
