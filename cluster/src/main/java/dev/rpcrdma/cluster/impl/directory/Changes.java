// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;

/**
 * Word on the event bus that a map has changed, so that it is read at once. It may be lost: the map is read from time
 * to time, too.
 */
final class Changes {

  private static final Logger LOG = LoggerFactory.getLogger(Changes.class);

  private final Vertx vertx;
  private final String address;

  Changes(Vertx vertx, String map) {
    this.vertx = vertx;
    this.address = map + ".changed";
  }

  void tell() {
    try {
      vertx.eventBus().publish(address, "");
    } catch (Throwable e) {
      LOG.debug("Nobody is told that the map has changed", e);
    }
  }

  /** Hears of them on the current context. */
  MessageConsumer<Object> hear(Runnable heard) {
    return vertx.eventBus().consumer(address, word -> heard.run());
  }
}
