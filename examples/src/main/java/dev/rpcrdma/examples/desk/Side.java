// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import dev.rpcrdma.service.XdrValue;

/** Which way an order goes, with the numbers that FIX has for it. */
public enum Side {

  /** The desk buys. */
  @XdrValue(1) BUY,
  /** The desk sells. */
  @XdrValue(2) SELL
}
