// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import io.vertx.core.Future;
import java.nio.ByteBuffer;

/** A scope of memory, shared by any number of queue pairs. Methods may be called from any thread. */
public interface ProtectionDomain {

  /**
   * Registers memory for local use. Runs off the event loop where it may block.
   *
   * @param memory a direct buffer; its range from 0 to capacity is registered
   * @param backing where the bytes come from
   * @return the registration; fails with kind {@link VerbsException.Kind#RESOURCES} if the device or
   *     the system's limit on locked memory refuses, or with
   *     {@link VerbsException.Kind#INVALID_ARGUMENT} for a heap buffer
   */
  Future<LocalMemory> register(ByteBuffer memory, LocalMemory.Backing backing);

  /**
   * How many registrations are alive; for leak checks and metrics.
   *
   * @return a snapshot
   */
  int registrations();

  /**
   * Ends all registrations and the domain. Idempotent. Its queue pairs must be closed before.
   *
   * @return completes when the device has no more use for the memory
   */
  Future<Void> close();
}
