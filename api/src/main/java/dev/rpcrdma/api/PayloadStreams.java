// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.api.impl.stream.RangeFlow;
import dev.rpcrdma.api.impl.stream.ReadStreamFlow;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;

/**
 * What is larger than memory, or than a call may be, as a sequence of payloads.
 *
 * <pre>{@code
 * PayloadStreams.forEach(vertx, request, options,                            // up: a ReadStream
 *     (offset, part) -> store.write(name, offset, part));
 * PayloadStreams.forEachRange(vertx, 0, size, options,                       // up: a file of any size
 *     (offset, length) -> Payload.file(vertx, path, offset, length),
 *     (offset, part) -> store.write(name, offset, part));
 * PayloadWriter writer = PayloadWriter.to(vertx, response);                  // down, into a WriteStream
 * PayloadStreams.forEachRange(vertx, 0, size, options,
 *     (offset, length) -> store.read(name, offset, length),
 *     (offset, part) -> writer.write(part));
 * }</pre>
 *
 * <p>Payloads are handed on in their order, up to {@link PayloadStreamOptions#maxInFlight} at a time; what is handed
 * on next waits until there is room. Each payload is released once: when its handler's future has completed, or when
 * the stream has failed before it was handed on. The future of a stream completes when all that is over, with the
 * first failure if there was one. A failure, of the source or of a handler, and a {@link Cancellation} ask for
 * nothing more and hand on nothing more; what was handed on is waited for, so that no payload is in use afterwards.
 */
public final class PayloadStreams {

  private PayloadStreams() {}

  /**
   * Cuts a stream into payloads. Its bytes are copied into memory that is used again for later payloads, and comes
   * back when a payload's last owner has released it: a handler that retains payloads holds the stream up.
   *
   * @param vertx whose event loops will use the payloads
   * @param source has not ended; is paused at once, and asked for one buffer at a time. It is not closed; after a
   *     failure or cancellation it is left paused, without handlers
   * @param options length and number of the payloads
   * @param handler takes them
   * @return the number of bytes that were handled; fails with what the source or a handler failed with, an
   *     {@link RpcCancelledException}, an {@link IllegalStateException} if the source is closed or a handler has
   *     released what it was lent, or a {@link dev.rpcrdma.verbs.VerbsException} if there is no direct memory
   */
  public static Future<Long> forEach(Vertx vertx, ReadStream<Buffer> source, PayloadStreamOptions options,
      PayloadHandler handler) {
    return new ReadStreamFlow(vertx, source, options, handler).begin();
  }

  /**
   * Reads a range of any length by parts, some of them ahead.
   *
   * @param vertx whose context this belongs to
   * @param offset first byte
   * @param length number of bytes
   * @param options length and number of the parts
   * @param source has the parts
   * @param handler takes them
   * @return completes when all were handled; fails with what the source or a handler failed with, a
   *     {@link java.io.IOException} if a part has not the length that was asked for, an
   *     {@link RpcCancelledException}, or an {@link IllegalStateException} if a handler has released what it was lent
   * @throws IllegalArgumentException if offset or length are negative, or their sum is more than a long holds
   */
  public static Future<Void> forEachRange(Vertx vertx, long offset, long length, PayloadStreamOptions options,
      RangeSource source, PayloadHandler handler) {
    return new RangeFlow(vertx, offset, length, options, source, handler).begin().mapEmpty();
  }
}
