// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import io.vertx.core.Future;

/**
 * Judges tokens, such as JSON Web Tokens. A client sends its token once for each connection, and gets a handle for it,
 * which its calls carry as their credential: they cost no verification.
 */
@FunctionalInterface
public interface TokenVerifier {

  /**
   * Judges a token. Called on an event loop, which it must not block, also if the server belongs to a worker.
   *
   * @param token as the client has given it
   * @param connection where it came from; null if it came with a call over no connection, as over the event bus
   * @return whose it is; if it fails, the token is refused (AUTH_ERROR), and the client's connection fails with that
   */
  Future<RpcUser> verify(String token, RpcConnection connection);
}
