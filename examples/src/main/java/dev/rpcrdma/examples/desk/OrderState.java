// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import dev.rpcrdma.service.XdrValue;

/** How far an order has come, with the numbers that FIX has for it. */
public enum OrderState {

  /** Nothing was filled yet. */
  @XdrValue(0) NEW,
  /** A part was filled. */
  @XdrValue(1) PARTIALLY_FILLED,
  /** All of it was filled. */
  @XdrValue(2) FILLED,
  /** What was not filled never will be. */
  @XdrValue(4) CANCELED;

  /**
   * Whether nothing happens to the order any more.
   *
   * @return true if it is filled or canceled
   */
  public boolean done() {
    return this == FILLED || this == CANCELED;
  }
}
