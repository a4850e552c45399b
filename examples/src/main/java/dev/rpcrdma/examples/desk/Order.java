// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import java.time.Instant;
import java.util.Optional;

/**
 * An order as the desk knows it.
 *
 * @param terms what its trader wants
 * @param trader who has placed it
 * @param state how far it has come
 * @param filled how many were filled
 * @param placed when it was placed
 * @param expires when it is canceled; empty for never
 */
public record Order(NewOrder terms, String trader, OrderState state, long filled, Instant placed,
    Optional<Instant> expires) {

  /**
   * How many are still to be filled.
   *
   * @return 0 if it is done
   */
  public long open() {
    return state.done() ? 0 : terms.quantity() - filled;
  }
}
