// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.rpc;

import dev.rpcrdma.api.Payload;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;

/**
 * What is called does nothing, so that calling it is what is measured.
 *
 * @param large what {@code get} gives a part of
 */
public record LocalService(Payload large) implements BenchService {

  @Override
  public Future<Buffer> echo(Buffer bytes) {
    return Future.succeededFuture(bytes);
  }

  @Override
  public Future<Buffer> unboundedEcho(Buffer bytes) {
    return Future.succeededFuture(bytes);
  }

  @Override
  public Future<Void> put(Payload bytes) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Payload> get(int length, Payload target) {
    return Future.succeededFuture(large.slice(0, length));
  }
}
