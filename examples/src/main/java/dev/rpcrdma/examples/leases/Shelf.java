// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.leases;

import dev.rpcrdma.service.Idempotent;
import dev.rpcrdma.service.RpcProcedure;
import dev.rpcrdma.service.RpcProgram;
import io.vertx.core.Future;

/** Values that clients may keep for a while. */
@RpcProgram(number = 0x20060062, version = 1, callback = LeaseEvents.class)
public interface Shelf {

  /**
   * A value, and for how long the caller may keep it unless it is recalled.
   *
   * @param value empty if there is none
   * @param leaseMillis from when the caller has asked
   */
  record Leased(String value, long leaseMillis) {}

  /**
   * Gives a value, and a lease of it.
   *
   * @param key which
   * @return the value
   */
  @RpcProcedure(1)
  @Idempotent
  Future<Leased> get(String key);

  /**
   * Sets a value, once nobody holds the one before.
   *
   * @param key which
   * @param value the new one
   * @return completes when it is set
   */
  @RpcProcedure(2)
  Future<Void> put(String key, String value);
}
