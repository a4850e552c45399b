// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs;

import dev.rpcrdma.api.Payload;
import io.vertx.core.Future;

/**
 * Serves a block of memory.
 *
 * @param block what it gives; stays its maker's
 */
public record HeldBlock(Payload block) implements MemoryBlock {

  @Override
  public Future<Void> put(Payload content) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Payload> get(Payload target) {
    return Future.succeededFuture(block.retain());
  }
}
