// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.binding;

/** Which calls are sent again when the connection was lost after the peer may have seen them. */
public enum Replay {
  /** None: each such call fails. */
  NEVER,
  /** Read-only ones, and all others, idempotent ones too, if the peer shows that it still has the session. */
  SAFE,
  /** All: a peer without a memory may execute a call twice. */
  ALWAYS
}
