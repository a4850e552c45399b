// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.security;

import dev.rpcrdma.protocol.oncrpc.SecureChannel;
import java.util.Optional;

/** Protects the calls of one user to one server, on all connections. From any thread. */
public interface CallProtector {

  /** Hears of the protection of one transmission; on any thread. */
  interface Listener {

    /**
     * The call can be sent.
     *
     * @param protection for this transmission
     */
    void ready(CallProtection protection);

    /**
     * There is no protection, and so no call.
     *
     * @param reason for people
     */
    void unavailable(String reason);
  }

  /**
   * Gets protection for one transmission, as soon as there is any: what it needs may have to be agreed with the server
   * first.
   *
   * @param channel what the transmission goes over
   * @param listener hears once: at once, later, or never if nobody can say
   */
  void protection(SecureChannel channel, Listener listener);

  /**
   * A listener does not wait any more, and need not hear.
   *
   * @param listener that may have heard already
   * @return what has kept it waiting, for people, if that is the want of an agreement with the server; else empty
   */
  default Optional<String> forget(Listener listener) {
    return Optional.empty();
  }
}
