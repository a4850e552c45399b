// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

/** How sure written data is to be there after a crash (RFC 1813 §3.3.7, stable_how). */
public enum Stability {
  /** It is after a COMMIT. */
  UNSTABLE,
  /** It is. */
  DATA_SYNC,
  /** It is, and so are the file's attributes. */
  FILE_SYNC
}
