// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcDecodingException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import io.vertx.core.Future;
import java.nio.ByteBuffer;

/** Answers each call with the same bytes. */
record CannedCaller(byte[] reply) implements RpcCaller {

  @Override
  public <T> Future<T> call(RpcRequest<T> request) {
    try {
      return Future.succeededFuture(
          request.results().decode(new XdrReader(ByteBuffer.wrap(reply))));
    } catch (XdrException e) {
      return Future.failedFuture(new RpcDecodingException("The results", e));
    }
  }
}
