// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs;

import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/**
 * A part of a blob: bytes, or a hole, which reads as zeros and does not travel.
 *
 * @param offset where it begins in its blob
 * @param length its length in bytes
 * @param data its bytes; empty if it is a hole
 */
public record Extent(long offset, long length, Optional<Buffer> data) {

  /** Checks that it is as long as its bytes. */
  public Extent {
    data.ifPresent(bytes -> {
      if (bytes.length() != length) {
        throw new IllegalArgumentException(bytes.length() + " bytes in an extent of " + length);
      }
    });
  }

  /**
   * Bytes.
   *
   * @param offset where they begin
   * @param bytes the bytes
   * @return an extent as long as they are
   */
  static Extent data(long offset, Buffer bytes) {
    return new Extent(offset, bytes.length(), Optional.of(bytes));
  }

  /**
   * A hole.
   *
   * @param offset where it begins
   * @param length its length in bytes
   * @return an extent without bytes
   */
  static Extent hole(long offset, long length) {
    return new Extent(offset, length, Optional.empty());
  }

  /**
   * Where the next extent begins.
   *
   * @return an offset in the blob
   */
  public long end() {
    return offset + length;
  }
}
