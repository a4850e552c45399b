// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import dev.rpcrdma.api.impl.call.Cancellable;
import dev.rpcrdma.api.impl.call.ClientCall;
import io.vertx.core.Context;
import io.vertx.core.Future;

/**
 * A call.
 *
 * @param harmless whether it may be executed again, by whatever server
 * @param slot of its identity; null if it has none
 */
record CallTask<T>(ClientCall<T> call, boolean harmless, CallSlots.Slot slot) implements ServerTask<T> {

  @Override
  public boolean replicated() {
    return slot != null;
  }

  @Override
  public String describe() {
    return call.request().describe();
  }

  @Override
  public Context caller() {
    return call.caller();
  }

  @Override
  public String key() {
    return call.request().options().routingKey().orElse(null);
  }

  @Override
  public long deadline() {
    return call.deadline();
  }

  @Override
  public void add(Cancellable waiting) {
    call.add(waiting);
  }

  @Override
  public void forget(Cancellable waiting) {
    call.forget(waiting);
  }

  @Override
  public boolean isCancelled() {
    return call.isCancelled();
  }

  @Override
  public Future<T> over(ServerChannel part) {
    return part.make(call);
  }

  @Override
  public void end() {
    call.end();
    if (slot != null) {
      slot.free();
    }
  }
}
