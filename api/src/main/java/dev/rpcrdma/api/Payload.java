// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.api.impl.memory.PayloadImpl;
import dev.rpcrdma.protocol.xdr.DataItem;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Memory that RDMA can reach without a copy: the large argument or result of a call.
 *
 * <p>A payload is counted. Whoever creates one, or gets one as a result, owns it and calls
 * {@link #release()} once. Handing it to a call as an argument lends it: the call keeps its own count
 * until it completes. A service that gets one as an argument has it until its future completes, and
 * one that returns one gives it away.
 */
public interface Payload extends DataItem {

  /** The longest payload: an XDR opaque with its padding has a length that is an int. */
  int MAX_LENGTH = Integer.MAX_VALUE - 3;

  /**
   * New memory, all zeros, cleared on this thread: much of it is better allocated by a worker.
   *
   * @param vertx whose event loops will use it
   * @param length in bytes, at most {@link #MAX_LENGTH}
   * @return the payload
   * @throws IllegalArgumentException if the length is out of range
   * @throws OutOfMemoryError if there is no direct memory
   */
  static Payload allocate(Vertx vertx, int length) {
    return PayloadImpl.allocate(vertx, length);
  }

  /**
   * A copy of a buffer's bytes.
   *
   * @param vertx whose event loops will use it
   * @param buffer what to copy
   * @return the payload
   */
  static Payload copyOf(Vertx vertx, Buffer buffer) {
    return PayloadImpl.copyOf(vertx, buffer);
  }

  /**
   * A range of a file of any size, read-only. Up to 256 KiB are read at once, since they may travel inline; more
   * is mapped, and a call reads it straight from the page cache. The file of a mapping stays open until the payload is
   * released. If it has shrunk, calls fail with an {@link RpcTransportException}; if it shrinks while a call is on its
   * way, that costs the connection; and whoever reads its {@link #bytes()} meets an {@link InternalError}. Opened and
   * read by a worker. {@link PayloadStreams#forEachRange} goes through files that are larger than one payload.
   *
   * @param vertx whose event loops will use it
   * @param path a regular file
   * @param offset first byte
   * @param length number of bytes, at most {@link #MAX_LENGTH}; the range must lie in the file
   * @return the payload; fails with the {@link java.io.IOException} of opening or mapping, an
   *     {@link java.io.EOFException} if the file ends before the range does
   * @throws IllegalArgumentException if offset or length are out of range for any file
   */
  static Future<Payload> file(Vertx vertx, Path path, long offset, int length) {
    return PayloadImpl.file(vertx, path, offset, length);
  }

  /**
   * The memory.
   *
   * @return a view from 0 to {@link #length()}, valid until released; read-only for a file
   */
  @Override
  ByteBuffer bytes();

  /**
   * A copy that needs no release.
   *
   * @return the bytes
   */
  Buffer toBuffer();

  /**
   * A part of it.
   *
   * @param offset first byte
   * @param length number of bytes
   * @return shares the memory, which lives until this and all its slices are released; to be released by the caller,
   *     once: they are counted together, so that once more would take it from another one, unnoticed
   * @throws IndexOutOfBoundsException if the range is not within this payload
   * @throws IllegalStateException if it was released
   */
  Payload slice(int offset, int length);

  /**
   * Writes all bytes to a file, by a worker. The file is created if there is none, and never cut off. It is not
   * forced to the disk.
   *
   * @param vertx whose workers write
   * @param path a regular file, or none yet
   * @param offset where the first byte goes; behind the file's end it grows, with a hole between
   * @return completes when all is written, until when the payload keeps an owner of its own; fails with the
   *     {@link java.io.IOException} of opening or writing, after which some bytes may be written, or with an
   *     {@link IllegalStateException} if the payload was released
   * @throws IllegalArgumentException if the offset is negative, or the end more than a long holds
   */
  Future<Void> writeTo(Vertx vertx, Path path, long offset);

  @Override
  Payload retain();
}
