package dev.rpcrdma.service.eventbus;

import dev.rpcrdma.service.eventbus.impl.BusEndpoint;
import io.vertx.core.Future;

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
}
