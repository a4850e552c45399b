// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.rpcbind;

/** Whether a server registers with the rpcbind of its host, and what becomes of it if that fails. */
public enum RpcbindPolicy {
  /** It does not. */
  OFF,
  /** It does; what fails is logged, and it listens all the same. */
  TRY,
  /** It does; if that fails it does not listen. */
  REQUIRE
}
