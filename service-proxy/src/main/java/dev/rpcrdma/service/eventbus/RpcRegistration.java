// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import dev.rpcrdma.service.eventbus.impl.BusEndpoint;
import io.vertx.core.Future;
import java.time.Duration;

/** Services that are registered at an address. Thread-safe. */
public final class RpcRegistration {

  private final String address;
  private final BusEndpoint endpoint;

  RpcRegistration(String address, BusEndpoint endpoint) {
    this.address = address;
    this.endpoint = endpoint;
  }

  /**
   * Where they are registered.
   *
   * @return the address
   */
  public String address() {
    return address;
  }

  /**
   * How many calls are being executed.
   *
   * @return as of now
   */
  public int calls() {
    return endpoint.calls();
  }

  /**
   * Unregisters, and lets calls finish that are being executed: they end within the time that services may take.
   * Idempotent.
   *
   * @return completes when the last one is answered
   */
  public Future<Void> close() {
    return endpoint.close();
  }

  /**
   * Closes as {@link #close()} does, and answers calls SYSTEM_ERR that have not ended in time. Also while it is
   * closing. The end of the context it belongs to does so, with {@link
   * dev.rpcrdma.api.RpcOptions#DEFAULT_DRAIN_TIMEOUT}.
   *
   * @param timeout how long calls may take to finish; not negative
   * @return completes when the last one is answered
   */
  public Future<Void> shutdown(Duration timeout) {
    return endpoint.shutdown(timeout);
  }
}
