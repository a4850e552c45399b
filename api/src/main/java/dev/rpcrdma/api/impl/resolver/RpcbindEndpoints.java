// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.resolver;

import dev.rpcrdma.api.impl.endpoint.ServerPlace;
import dev.rpcrdma.api.impl.resolver.RefreshedServers.Answer;
import dev.rpcrdma.api.rpcbind.Rpcbind;
import dev.rpcrdma.api.rpcbind.RpcbindAddress;
import dev.rpcrdma.api.rpcbind.RpcbindOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The one server that an rpcbind knows of an address.
 *
 * @param <E> the endpoint that core makes of it
 */
public final class RpcbindEndpoints<E> extends RefreshedEndpoints<RpcbindAddress, E> {

  private static final Duration LIFE = Duration.ofSeconds(30);

  private final Vertx vertx;

  /** Those that a client asks for. */
  public RpcbindEndpoints(Vertx vertx) {
    this(vertx, System::nanoTime);
  }

  /** The same by another clock, in nanoseconds. */
  RpcbindEndpoints(Vertx vertx, LongSupplier clock) {
    super(RpcbindAddress.class, "rpcbind", clock);
    this.vertx = vertx;
  }

  @Override
  Future<Answer> query(RpcbindAddress address) {
    return Rpcbind.of(vertx, address.rpcbind(), RpcbindOptions.DEFAULT).locate(address.program(), address.version())
        .map(server -> new Answer(List.of(ServerPlace.of(server)), LIFE));
  }

  @Override
  public void close() {
    // It holds nothing.
  }
}
