// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk.server;

/** What a user may do. */
public enum Role {
  /** Everything. */
  TRADER,
  /** Look. */
  AUDITOR
}
