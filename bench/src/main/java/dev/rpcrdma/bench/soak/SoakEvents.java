// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.soak;

import dev.rpcrdma.service.RpcProcedure;
import dev.rpcrdma.service.RpcProgram;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;

/** What the server calls. */
@RpcProgram(number = 0x200600B2, version = 1)
public interface SoakEvents {

  /** Takes the next bytes of a worker, which must not happen twice, and answers with their checksum. */
  @RpcProcedure(1)
  Future<Long> told(int worker, long number, Buffer bytes);
}
