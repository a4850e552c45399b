// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.proxygen;

import io.vertx.core.Future;
import io.vertx.serviceproxy.ServiceBinder;
import io.vertx.serviceproxy.ServiceProxyBuilder;

/** The contract as the event bus keeps it. */
class EverythingOverEventBusTest extends EverythingContract {

  @Override
  protected Everything open(Everything implementation) {
    new ServiceBinder(vertx).setAddress("everything").register(Everything.class, implementation);
    return new ServiceProxyBuilder(vertx).setAddress("everything").build(Everything.class);
  }

  @Override
  protected Future<Void> end() {
    return Future.succeededFuture();
  }
}
