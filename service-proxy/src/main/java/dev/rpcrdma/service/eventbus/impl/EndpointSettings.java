// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus.impl;

import dev.rpcrdma.api.CallInterceptor;
import dev.rpcrdma.api.ServiceInterceptor;
import dev.rpcrdma.api.TokenVerifier;
import dev.rpcrdma.api.spi.TransportOptions;
import java.util.List;

/**
 * How an address is served.
 *
 * @param address where
 * @param localOnly whether only callers of the same Vert.x reach it, and are reached
 * @param services stand before services, the one that hears first first
 * @param calls stand around calls back to callers, the application's nearest first
 * @param tokens judges tokens; null if nobody does
 * @param options how long services may take, and how many calls may be executed
 */
public record EndpointSettings(String address, boolean localOnly, List<ServiceInterceptor> services,
    List<CallInterceptor> calls, TokenVerifier tokens, TransportOptions options) {

  /** Takes copies. */
  public EndpointSettings {
    services = List.copyOf(services);
    calls = List.copyOf(calls);
  }
}
