// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import dev.rpcrdma.service.XdrValue;

/** What becomes of an order that is not filled at once, with the numbers that FIX has for it. */
public enum TimeInForce {

  /** It stays until it is filled or canceled. */
  @XdrValue(1) GOOD_TILL_CANCEL,
  /** What cannot be filled at once is canceled. */
  @XdrValue(3) IMMEDIATE_OR_CANCEL
}
