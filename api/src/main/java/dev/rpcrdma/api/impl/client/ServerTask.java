// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import dev.rpcrdma.api.impl.call.Cancellable;
import io.vertx.core.Context;
import io.vertx.core.Future;

/**
 * Something to be done with one server of an address, or with another one if that fails.
 *
 * @param <T> the type of its result
 */
interface ServerTask<T> {

  /** Such as the procedure that is called. */
  String describe();

  /** Where its outcome is heard. */
  Context caller();

  /** What decides where it goes; null if nothing does. */
  String key();

  /** Whether doing it again, with whatever server, does no harm. */
  boolean harmless();

  /** Whether all servers together do it at most once. */
  default boolean replicated() {
    return false;
  }

  /** Until when it may wait for the servers, if it begins to wait now; a time of {@link System#nanoTime}. */
  long deadline();

  /** Has something given up when this is. */
  void add(Cancellable waiting);

  /** Takes back what {@link #add} did. */
  void forget(Cancellable waiting);

  boolean isCancelled();

  /** Does it, once at a time. */
  Future<T> over(ServerChannel part);

  /** It has its outcome; called once. */
  void end();
}
