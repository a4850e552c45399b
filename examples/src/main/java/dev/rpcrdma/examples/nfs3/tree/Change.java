// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import dev.rpcrdma.examples.nfs3.model.WeakCacheConsistency;
import java.util.Optional;

/**
 * How an attempt to change something ended.
 *
 * @param status OK if it succeeded
 * @param consistency of what was to be changed, in any case
 * @param value what it yielded, if it succeeded
 * @param <T> the type of that
 */
public record Change<T>(NfsStatus status, WeakCacheConsistency consistency, Optional<T> value) {

  /** Returns the same attempt, as one that failed. */
  <U> Change<U> failure(NfsStatus why) {
    return new Change<>(why, consistency, Optional.empty());
  }
}
