// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.rpc;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.service.DirectPlacement;
import dev.rpcrdma.service.Idempotent;
import dev.rpcrdma.service.Into;
import dev.rpcrdma.service.MaxLength;
import dev.rpcrdma.service.RpcProcedure;
import dev.rpcrdma.service.RpcProgram;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;

/** What is called. */
@RpcProgram(number = 0x200600B0, version = 1)
public interface BenchService {

  /** Sends bytes there and back; that there are no more than so many is part of the interface. */
  @RpcProcedure(1)
  @Idempotent
  @MaxLength(2048)
  Future<Buffer> echo(@MaxLength(2048) Buffer bytes);

  /** Takes a payload and forgets it. */
  @RpcProcedure(2)
  Future<Void> put(@DirectPlacement Payload bytes);

  /** Gives as many bytes as the target takes. */
  @RpcProcedure(3)
  @Idempotent
  @DirectPlacement
  Future<Payload> get(int length, @Into Payload target);

  /** The same as {@link #echo} without a bound: each call makes room for as much as is usual. */
  @RpcProcedure(4)
  @Idempotent
  Future<Buffer> unboundedEcho(@MaxLength(2048) Buffer bytes);
}
