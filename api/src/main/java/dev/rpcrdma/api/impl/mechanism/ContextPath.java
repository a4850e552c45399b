// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.mechanism;

import dev.rpcrdma.protocol.oncrpc.SecureChannel;

/** A connection over which a mechanism makes calls of its own. */
public interface ContextPath extends SecureChannel {

  /**
   * Makes a call; from any thread.
   *
   * @param nanos within which it has its end
   */
  void make(ContextCall call, long nanos);
}
