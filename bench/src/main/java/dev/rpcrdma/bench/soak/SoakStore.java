// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.soak;

import dev.rpcrdma.service.DirectPlacement;
import dev.rpcrdma.service.Idempotent;
import dev.rpcrdma.service.MaxReply;
import dev.rpcrdma.service.RpcProcedure;
import dev.rpcrdma.service.RpcProgram;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;

/** What the client calls. */
@RpcProgram(number = 0x200600B1, version = 1, callback = SoakEvents.class)
public interface SoakStore {

  /** In bytes. */
  int LONGEST_TEXT = 256 << 10;

  /** Takes the next bytes of a worker, which must not happen twice, and answers with their checksum. */
  @RpcProcedure(1)
  Future<Long> add(int worker, long number, @DirectPlacement Buffer bytes);

  /** Gives bytes that follow from a seed. */
  @RpcProcedure(2)
  @Idempotent
  @DirectPlacement
  @MaxReply(parameter = "length")
  Future<Buffer> look(long seed, int length);

  /** Gives text, of which nobody knows before the call how long it will be. */
  @RpcProcedure(3)
  @Idempotent
  @MaxReply(LONGEST_TEXT)
  Future<String> text(int length);
}
