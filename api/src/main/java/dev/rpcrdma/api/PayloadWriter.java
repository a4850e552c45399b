// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.api.impl.stream.PayloadWriterImpl;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;

/**
 * Writes payloads into a stream, one after the other, and no faster than it takes them. May be used from any thread.
 */
public interface PayloadWriter {

  /**
   * Creates a writer, which belongs to the current context.
   *
   * @param vertx creates a context if there is none
   * @param target is written to by nobody else meanwhile; its drain handler is the writer's. It is not ended
   * @return a writer
   */
  static PayloadWriter to(Vertx vertx, WriteStream<Buffer> target) {
    return new PayloadWriterImpl(vertx, target);
  }

  /**
   * Writes a payload behind those before it, in pieces of 64 KiB at most, none of them while the stream's queue is
   * full.
   *
   * @param payload lent until the returned future completes; may be released at once, since the writer keeps an
   *     owner of its own
   * @return completes when the stream has written all of it. After a failure of the stream, all payloads fail with
   *     that; fails with an {@link IllegalStateException} if the payload was released, or the stream is closed
   */
  Future<Void> write(Payload payload);
}
