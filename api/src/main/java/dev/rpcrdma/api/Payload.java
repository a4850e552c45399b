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
   * New memory, all zeros.
   *
   * @param vertx whose event loops will use it
   * @param length in bytes, at most {@link #MAX_LENGTH}
   * @return the payload
   * @throws IllegalArgumentException if the length is out of range
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
   * A range of a file, read-only. Up to 256 KiB are read at once, since they may travel inline; more
   * is mapped, and a call reads it straight from the page cache. If a mapped file shrinks before the
   * call is done, the call fails.
   *
   * @param vertx whose event loops will use it
   * @param path a regular file
   * @param offset first byte
   * @param length number of bytes, at most {@link #MAX_LENGTH}; the range must lie in the file
   * @return the payload; fails with the {@link java.io.IOException} of opening or mapping
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
   * @return shares the memory; owned by the caller, counted with this one
   */
  Payload slice(int offset, int length);

  @Override
  Payload retain();
}
