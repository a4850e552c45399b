// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.peers;

import io.vertx.core.Future;
import java.io.IOException;

/** The calling side of another system, with one connection. Its calls may end on any thread. */
public interface RpcPeer extends AutoCloseable {

  /** Bytes of a small call, each way. */
  int SMALL = 128;

  /** Bytes of a large one, one way. */
  int LARGE = 1 << 20;

  /**
   * 128 bytes there and back.
   *
   * @return done when they are back
   */
  Future<?> echo();

  /**
   * 1 MiB there.
   *
   * @return done when the answer is here
   */
  Future<?> put();

  /**
   * 1 MiB back.
   *
   * @return done when it is here
   */
  Future<?> get();

  @Override
  void close() throws IOException;
}
