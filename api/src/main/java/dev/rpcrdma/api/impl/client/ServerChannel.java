// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.impl.call.ClientCall;
import dev.rpcrdma.api.impl.connection.BoundService;
import io.vertx.core.Future;

/** What a composite channel is made of: a channel to one server. From any thread. */
interface ServerChannel extends RpcChannel {

  /**
   * Makes a call that has gone through all interceptors.
   *
   * @return the outcome, on whatever thread it becomes known
   */
  <T> Future<T> make(ClientCall<T> call);

  /** Serves a program that was bound on the composite. */
  void bind(BoundService service);

  /** How many of its calls have no outcome. */
  int pending();

  /** Whether the last thing that was heard of the server is that it cannot be reached. */
  boolean isDown();

  /** Tries to reach the server again, unless that is being done, or was too lately; for when calls go elsewhere. */
  void revive();
}
