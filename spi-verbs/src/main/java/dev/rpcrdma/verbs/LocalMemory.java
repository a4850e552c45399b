// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import io.vertx.core.Future;
import java.nio.ByteBuffer;

/**
 * Memory that the device can use for posts and exposures. Registered, which is slow and lasts; not
 * exposed, which is quick and short.
 */
public interface LocalMemory {

  /**
   * The memory itself. Callers that move position or limit use a duplicate.
   *
   * @return a direct buffer whose range 0 to capacity is registered
   */
  ByteBuffer buffer();

  /**
   * The size.
   *
   * @return the number of registered bytes
   */
  default int length() {
    return buffer().capacity();
  }

  /**
   * Whether the bytes may change, or vanish, beneath the device while it reads them.
   *
   * @return the backing given to {@link ProtectionDomain#register}
   */
  Backing backing();

  /**
   * Ends the registration. Idempotent, from any thread. The memory must not be posted or exposed
   * any more; the caller may reuse or free it when the future completes.
   *
   * @return completes when the device has no more use for the memory
   */
  Future<Void> deregister();

  /** Where the bytes come from. */
  enum Backing {
    /** Plain memory of this process. */
    MEMORY,
    /**
     * A mapped file, which another process may change or truncate at any time. A provider never
     * computes a checksum over such memory in place, because what it sends could differ, and reading
     * a truncated page must fail the connection and not the process.
     */
    MAPPED_FILE
  }
}
