// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.bridge;

import io.vertx.codegen.annotations.ProxyGen;
import io.vertx.codegen.annotations.VertxGen;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;

/** A service of the event bus. */
@ProxyGen
@VertxGen
public interface EchoService {

  /** What the verticles that are ends of a bridge have by default, in bytes. */
  int INLINE_SIZE = 16 * 1024;
  /** The address that nodes of a cluster share. */
  String CLUSTERED = "bench.service";
  /** The address of plain messages in the cluster. */
  String CLUSTERED_MESSAGES = "bench.messages";
  /** The address of plain messages that cross the bridge. */
  String BRIDGED_MESSAGES = "bench.bridged";

  /**
   * Sends bytes there and back.
   *
   * @param bytes some
   * @return the same
   */
  Future<Buffer> echo(Buffer bytes);
}
