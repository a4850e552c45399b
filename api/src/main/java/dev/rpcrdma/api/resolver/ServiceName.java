// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.resolver;

import io.vertx.core.net.Address;

/**
 * The name of a service, which a {@link StaticResolver} knows.
 *
 * @param name not blank
 */
public record ServiceName(String name) implements Address {

  /** Checks the name. */
  public ServiceName {
    if (name.isBlank()) {
      throw new IllegalArgumentException("The name of a service must not be blank");
    }
  }

  /**
   * A name.
   *
   * @param name not blank
   * @return the address
   */
  public static ServiceName of(String name) {
    return new ServiceName(name);
  }

  @Override
  public String toString() {
    return name;
  }
}
