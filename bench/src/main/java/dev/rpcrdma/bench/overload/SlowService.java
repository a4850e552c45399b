// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.overload;

import dev.rpcrdma.service.MaxLength;
import dev.rpcrdma.service.RpcProcedure;
import dev.rpcrdma.service.RpcProgram;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;

/** Program of our service. */
@RpcProgram(number = 0x200600B1, version = 1)
public interface SlowService {

  /** Does {@link Work}. */
  @RpcProcedure(1)
  @MaxLength(2048)
  Future<Buffer> work(@MaxLength(2048) Buffer bytes);
}
