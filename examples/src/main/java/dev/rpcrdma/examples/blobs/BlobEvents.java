// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs;

import dev.rpcrdma.service.RpcProcedure;
import dev.rpcrdma.service.RpcProgram;
import io.vertx.core.Future;

/** What a {@link BlobStore} tells its clients, by calls in the reverse direction. */
@RpcProgram(number = 0x20060002, version = 1)
public interface BlobEvents {

  /**
   * A blob of this client has been stored.
   *
   * @param info as it was stored
   * @return completes when the client has taken note
   */
  @RpcProcedure(1)
  Future<Void> stored(BlobInfo info);
}
