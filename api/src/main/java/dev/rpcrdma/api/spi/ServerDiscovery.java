// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.spi;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.resolver.ProgramAddress;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.Address;
import io.vertx.core.net.AddressResolver;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * A way for clients to find servers, and for servers to be found, which a key of a verticle's configuration names. The
 * implementations of modules on the class path are found by {@link java.util.ServiceLoader}: that of {@code
 * vertx-rpcrdma-cluster} has the key {@code cluster}.
 *
 * <p>Methods are called on the verticle's context, and do not block.
 */
public interface ServerDiscovery {

  /**
   * Returns the key.
   *
   * @return the same each time; the value of the key is an object, which the other methods get
   */
  String key();

  /**
   * Tells how a client finds servers.
   *
   * @param json the value of the key in the configuration of a client
   * @param program what to look for, unless {@code json} names another; empty if {@code json} has to
   * @return what a channel is made for, and who resolves it
   * @throws IllegalArgumentException if something is wrong in {@code json}
   */
  Target find(JsonObject json, Optional<ProgramAddress> program);

  /**
   * Tells how a server makes itself known.
   *
   * @param vertx where the server is
   * @param json the value of the key in the configuration of a server
   * @return called once the server listens; completes when others can find the server, which it leaves by itself when
   *     it closes
   * @throws IllegalArgumentException if something is wrong in {@code json}; then the server does not listen
   */
  Function<RpcServer, Future<?>> advertise(Vertx vertx, JsonObject json);

  /**
   * Address and resolver of a client.
   *
   * @param address what a channel is made for
   * @param resolver finds the servers of this address
   */
  record Target(Address address, AddressResolver<?> resolver) {

    /** Neither is null. */
    public Target {
      Objects.requireNonNull(address, "address");
      Objects.requireNonNull(resolver, "resolver");
    }
  }
}
