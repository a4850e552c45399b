// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import io.vertx.core.Future;

/** Does something with each payload of a stream, such as making a call with it. */
@FunctionalInterface
public interface PayloadHandler {

  /**
   * Takes one payload, on the context that began the stream. The next ones may come before this one is done with.
   *
   * @param offset where its first byte is, counted from the stream's or file's first byte
   * @param payload lent until the returned future completes, as to a call: not to be released, to be retained if it
   *     is kept longer
   * @return completes when the payload is done with; a failure ends the stream with that
   */
  Future<?> handle(long offset, Payload payload);
}
