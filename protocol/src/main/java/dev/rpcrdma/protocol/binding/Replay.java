// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.binding;

/** Which calls are sent again when the connection was lost after the peer may have seen them. */
public enum Replay {
  /** None: each such call fails. */
  NEVER,
  /** Idempotent ones, and all others if the peer shows that it still remembers its answers. */
  SAFE,
  /** All: a peer without a memory may execute a call twice. */
  ALWAYS
}
