// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.fabric;

import java.nio.ByteBuffer;
import java.util.OptionalInt;

/**
 * RDMA Writes and the Send that follows them. The Send is posted last, so it completes last, and
 * its completion frees what the Writes used. Most messages have no Writes, and pay nothing for those of
 * others.
 */
public interface Transmission {

  /** One RDMA Write. */
  record Write(Region source, int from, int length, int handle, long offset) {}

  /** Whether a Write is to be posted before the Send. */
  default boolean hasWrite() {
    return false;
  }

  /** The next Write, which now is posted. */
  default Write nextWrite() {
    throw new IllegalStateException("There is no Write to post");
  }

  /** Whether one of the Writes is posted, so that the Send must follow. */
  default boolean begun() {
    return false;
  }

  /** Lays the message out, as late as possible, and returns its length. */
  int encode(ByteBuffer target);

  /**
   * It could not be laid out, since somebody has released what belongs to it, or a security mechanism has failed;
   * nothing of its Send is posted, and {@link #completed} is not called.
   */
  default void encodingFailed(Throwable cause) {
    throw cause instanceof RuntimeException known ? known
        : new IllegalStateException("A message cannot be laid out", cause);
  }

  /** The peer's tag to invalidate with the Send. */
  default OptionalInt invalidate() {
    return OptionalInt.empty();
  }

  /**
   * Whether it is to be told by {@link #completed}. Most have only a buffer in use, and that is not
   * theirs.
   */
  default boolean awaitsCompletion() {
    return false;
  }

  /** The Send and all Writes have completed, or will never be posted. */
  default void completed(boolean success, long now) {}
}
