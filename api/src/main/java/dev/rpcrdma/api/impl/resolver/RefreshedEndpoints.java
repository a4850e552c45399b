// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.resolver;

import dev.rpcrdma.api.impl.resolver.RefreshedServers.Answer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.net.Address;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.endpoint.EndpointBuilder;
import io.vertx.core.spi.endpoint.EndpointResolver;
import java.util.function.LongSupplier;

/**
 * Servers that somebody is asked for, again and again. Thread-safe if its queries are.
 *
 * @param <A> the addresses it takes
 * @param <E> the endpoint that core makes of servers
 */
abstract class RefreshedEndpoints<A extends Address, E>
    implements EndpointResolver<A, SocketAddress, RefreshedServers<E>, E> {

  private final Class<A> addresses;
  private final String source;
  private final LongSupplier clock;

  /**
   * Those that a client asks for.
   *
   * @param addresses that it takes
   * @param source who answers, as messages call it
   * @param clock in nanoseconds
   */
  RefreshedEndpoints(Class<A> addresses, String source, LongSupplier clock) {
    this.addresses = addresses;
    this.source = source;
    this.clock = clock;
  }

  /** Asks for the servers of an address. There may be none; without an answer it fails. */
  abstract Future<Answer> query(A address);

  @Override
  public final A tryCast(Address address) {
    return addresses.isInstance(address) ? addresses.cast(address) : null;
  }

  @Override
  public final SocketAddress addressOf(SocketAddress server) {
    return server;
  }

  @Override
  public final Future<RefreshedServers<E>> resolve(A address, EndpointBuilder<E, SocketAddress> builder) {
    // It belongs to no context, so that later look-ups have their answer at once.
    Promise<RefreshedServers<E>> promise = Promise.promise();
    query(address)
        .map(first -> new RefreshedServers<>(source, address.toString(), builder, () -> query(address), clock, first))
        .onComplete(promise);
    return promise.future();
  }

  @Override
  public final E endpoint(RefreshedServers<E> state) {
    return state.endpoint();
  }

  @Override
  public final boolean isValid(RefreshedServers<E> state) {
    return state.isValid();
  }

  @Override
  public final void dispose(RefreshedServers<E> state) {
    state.dispose();
  }
}
