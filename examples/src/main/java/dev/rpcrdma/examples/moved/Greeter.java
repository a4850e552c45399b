// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.moved;

import io.vertx.core.Future;
import io.vertx.serviceproxy.ServiceException;

/** Greets everybody who has a name. */
public final class Greeter implements Greetings {

  /** Creates a greeter; called by the verticle that serves it. */
  public Greeter() {}

  @Override
  public Future<String> greet(String name) {
    return name.isBlank() ? Future.failedFuture(new ServiceException(1, "Nobody to greet"))
        : Future.succeededFuture("Hello, " + name + "!");
  }
}
