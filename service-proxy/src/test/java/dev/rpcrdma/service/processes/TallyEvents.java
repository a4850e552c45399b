// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processes;

import dev.rpcrdma.service.RpcProcedure;
import dev.rpcrdma.service.RpcProgram;
import io.vertx.core.Future;

/** What callers of {@link Tally} serve. */
@RpcProgram(number = 0x200600A1, version = 1)
public interface TallyEvents {

  @RpcProcedure(1)
  Future<Void> told(long number);
}
