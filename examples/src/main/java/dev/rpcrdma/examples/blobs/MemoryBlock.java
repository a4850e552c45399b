// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.service.DirectPlacement;
import dev.rpcrdma.service.Into;
import dev.rpcrdma.service.ReadOnly;
import dev.rpcrdma.service.RpcProcedure;
import dev.rpcrdma.service.RpcProgram;
import io.vertx.core.Future;

/** A block of a server's memory: what is transferred without files and digests. */
@RpcProgram(number = 0x20060003, version = 1)
public interface MemoryBlock {

  /** How long the block is, in bytes. */
  int LENGTH = 1 << 20;

  /**
   * Takes a block, and forgets it.
   *
   * @param content pulled by the server
   * @return completes when it is there
   */
  @RpcProcedure(1)
  Future<Void> put(@DirectPlacement Payload content);

  /**
   * Gives the server's block.
   *
   * @param target memory of the caller, into which the server writes; {@link #LENGTH} bytes
   * @return the part of {@code target} that holds it
   */
  @RpcProcedure(2)
  @ReadOnly
  @DirectPlacement
  Future<Payload> get(@Into Payload target);
}
