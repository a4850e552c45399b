// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import java.util.OptionalInt;

/** A work request of the peer that cannot be carried out: both ends disconnect. */
final class RefusedException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient OptionalInt steeringTag;

  /**
   * Creates the exception.
   *
   * @param message one sentence for people, on both ends
   * @param steeringTag the tag that was refused; empty if something else was
   */
  RefusedException(String message, OptionalInt steeringTag) {
    super(message);
    this.steeringTag = steeringTag;
  }

  OptionalInt steeringTag() {
    return steeringTag;
  }
}
