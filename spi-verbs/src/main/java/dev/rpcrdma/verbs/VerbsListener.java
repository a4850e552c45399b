// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import io.vertx.core.Future;
import io.vertx.core.net.SocketAddress;

/** A listening address. */
public interface VerbsListener {

  /**
   * Where it listens, with the port that was chosen.
   *
   * @return the local address
   */
  SocketAddress localAddress();

  /**
   * Stops listening. Requests not yet answered are rejected, also those that still come in; established
   * connections go on.
   * Idempotent.
   *
   * @return completes when the address is free again
   */
  Future<Void> close();
}
