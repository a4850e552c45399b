// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.directions;

import dev.rpcrdma.service.Idempotent;
import dev.rpcrdma.service.MaxLength;
import dev.rpcrdma.service.RpcProcedure;
import dev.rpcrdma.service.RpcProgram;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;

/** What the server calls. */
@RpcProgram(number = 0x200600B3, version = 1)
public interface BenchEvents {

  /** Sends bytes there and back. */
  @RpcProcedure(1)
  @Idempotent
  @MaxLength(2048)
  Future<Buffer> echo(@MaxLength(2048) Buffer bytes);

  /** Is not answered. */
  @RpcProcedure(2)
  @Idempotent
  Future<Void> never();
}
