// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.vertx;

import io.vertx.core.internal.VertxBootstrap;
import io.vertx.core.spi.VertxServiceProvider;

/**
 * A class that Vert.x loads as a service while it starts, before the first context is made. Context locals that its
 * static fields register are known to all contexts.
 */
public abstract class ServiceAtStart implements VertxServiceProvider {

  @Override
  public final void init(VertxBootstrap bootstrap) {
    // Loading the class has done its work.
  }
}
