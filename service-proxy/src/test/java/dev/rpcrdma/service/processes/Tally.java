// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processes;

import dev.rpcrdma.service.ReadOnly;
import dev.rpcrdma.service.RpcProcedure;
import dev.rpcrdma.service.RpcProgram;
import io.vertx.core.Future;

/** Calls with numbers of their own, each of which is answered with its number. */
@RpcProgram(number = 0x200600A0, version = 1, callback = TallyEvents.class)
public interface Tally {

  /** Counts, as a call whose replies are replicated. */
  @RpcProcedure(1)
  Future<Long> add(long number);

  /** Counts as {@link #add}, and tells the caller so before it answers. */
  @RpcProcedure(2)
  Future<Long> tell(long number);

  /** Counts, as a call of which no other server knows. */
  @RpcProcedure(3)
  Future<Long> addHere(long number);

  @RpcProcedure(4)
  @ReadOnly
  Future<Long> look(long number);
}
