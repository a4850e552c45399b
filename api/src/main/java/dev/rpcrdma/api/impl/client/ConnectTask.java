// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.impl.call.Cancellable;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;

/**
 * Connecting; nothing gives it up.
 *
 * @param timeout how long it waits for the servers, each time that it has to; each attempt has its own time
 */
record ConnectTask(Context caller, Duration timeout) implements ServerTask<RpcConnection> {

  @Override
  public String describe() {
    return "Connecting";
  }

  @Override
  public String key() {
    return null;
  }

  @Override
  public boolean harmless() {
    return true;
  }

  @Override
  public long deadline() {
    return System.nanoTime() + timeout.toNanos();
  }

  @Override
  public void add(Cancellable waiting) {
    // Nothing will call it.
  }

  @Override
  public void forget(Cancellable waiting) {
    // It was not added anywhere.
  }

  @Override
  public boolean isCancelled() {
    return false;
  }

  @Override
  public Future<RpcConnection> over(ServerChannel part) {
    return part.connect();
  }

  @Override
  public void end() {
    // It was lent nothing.
  }
}
