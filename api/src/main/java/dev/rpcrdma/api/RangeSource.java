// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import io.vertx.core.Future;

/** Has the bytes of ranges: a file, or a procedure that reads parts of something. */
@FunctionalInterface
public interface RangeSource {

  /**
   * Reads one range, begun on the context that began the stream. The next ones may be asked for before this one is
   * here.
   *
   * @param offset of its first byte
   * @param length number of bytes, at least 1
   * @return exactly that range, given away: the stream releases it
   */
  Future<Payload> read(long offset, int length);
}
