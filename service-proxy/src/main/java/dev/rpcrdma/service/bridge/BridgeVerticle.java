// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import io.vertx.core.VerticleBase;

/** What verticles at both ends of a bridge have in common. */
abstract class BridgeVerticle extends VerticleBase {

  private EventBusBridge bridge;

  BridgeVerticle() {}

  final EventBusBridge open(BridgeOptions wanted) {
    bridge = createBridge(wanted);
    return bridge;
  }

  /**
   * Makes the bridge; whoever wants codecs makes it otherwise.
   *
   * @param wanted its options
   * @return by default a bridge with these options, and nothing else
   */
  protected EventBusBridge createBridge(BridgeOptions wanted) {
    return EventBusBridge.create(vertx, wanted);
  }

  /**
   * The bridge.
   *
   * @return known once deployed
   */
  public EventBusBridge bridge() {
    return bridge;
  }
}
