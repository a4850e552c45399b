// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.protocol.wire.CmPrivateData;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Optional;

/** A range of counted memory. */
public final class PayloadImpl implements Payload {

  private final PayloadMemory memory;
  private final int offset;
  private final int length;

  public PayloadImpl(PayloadMemory memory, int offset, int length) {
    this.memory = memory;
    this.offset = offset;
    this.length = length;
  }

  /**
   * See {@link Payload#allocate}.
   *
   * @param vertx whose event loops will use it
   * @param length in bytes
   * @return the payload
   */
  public static Payload allocate(Vertx vertx, int length) {
    Objects.requireNonNull(vertx, "vertx");
    checkLength(length);
    return new PayloadImpl(new PayloadMemory(ByteBuffer.allocateDirect(length)), 0, length);
  }

  private static void checkLength(int length) {
    if (length < 0 || length > MAX_LENGTH) {
      throw new IllegalArgumentException("A payload has 0 to " + MAX_LENGTH + " bytes, not " + length);
    }
  }

  private static void checkOffset(long offset, int length) {
    if (offset < 0 || offset > Long.MAX_VALUE - length) {
      throw new IllegalArgumentException("No file has " + length + " bytes at " + offset);
    }
  }

  /**
   * See {@link Payload#copyOf}.
   *
   * @param vertx whose event loops will use it
   * @param buffer what to copy
   * @return the payload
   */
  public static Payload copyOf(Vertx vertx, Buffer buffer) {
    Payload payload = allocate(vertx, buffer.length());
    payload.bytes().put(buffer.getBytes());
    return payload;
  }

  /**
   * See {@link Payload#file}.
   *
   * @param vertx whose event loops will use it
   * @param path a regular file
   * @param offset first byte
   * @param length number of bytes
   * @return the payload
   */
  public static Future<Payload> file(Vertx vertx, Path path, long offset, int length) {
    checkLength(length);
    checkOffset(offset, length);
    return vertx.executeBlocking(() -> new PayloadImpl(open(vertx, path, offset, length), 0, length), false);
  }

  private static PayloadMemory open(Vertx vertx, Path path, long offset, int length) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    boolean mapped = false;
    try {
      if (offset > channel.size() - length) {
        throw new EOFException(path + " has " + channel.size() + " bytes: no " + length + " bytes at " + offset);
      }
      if (length <= CmPrivateData.MAX_SIZE) {
        return new PayloadMemory(read(path, channel, offset, length));
      }
      PayloadMemory memory = MappedFile.map(vertx, path, channel, offset, length);
      mapped = true;
      return memory;
    } finally {
      if (!mapped) {
        channel.close();
      }
    }
  }

  /**
   * What may travel inline is read now: whoever copies it into a message must not meet a page of a
   * file that has shrunk since. Larger ranges are read by the provider alone, which is prepared.
   */
  private static ByteBuffer read(Path path, FileChannel channel, long offset, int length)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.allocateDirect(length);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, offset + bytes.position()) < 0) {
        throw new EOFException(path + " shrank while it was read");
      }
    }
    return bytes.flip().asReadOnlyBuffer();
  }

  /**
   * The memory as a device sees it.
   *
   * @param domain where it is needed
   * @return its registration there, which spans more than this payload if this is a slice
   */
  Future<LocalMemory> registered(ProtectionDomain domain) {
    return memory.registered(domain);
  }

  /** Where this payload begins in {@link #registered}. */
  int memoryOffset() {
    return offset;
  }

  @Override
  public int length() {
    return length;
  }

  @Override
  public ByteBuffer bytes() {
    if (memory.released()) {
      throw new IllegalStateException("The payload was released");
    }
    return memory.bytes().slice(offset, length);
  }

  @Override
  public void copyTo(ByteBuffer target) {
    target.put(bytes());
  }

  @Override
  public Buffer toBuffer() {
    return Buffer.buffer(toByteArray());
  }

  @Override
  public Future<Void> writeTo(Vertx vertx, Path path, long to) {
    checkOffset(to, length);
    if (!tryRetain()) {
      return Future.failedFuture(new IllegalStateException("The payload was released"));
    }
    return vertx.<Void>executeBlocking(() -> {
      try (FileChannel channel =
          FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        ByteBuffer bytes = bytes();
        while (bytes.hasRemaining()) {
          channel.write(bytes, to + bytes.position());
        }
        return null;
      }
    }, false).onComplete(written -> release());
  }

  @Override
  public Payload slice(int from, int count) {
    Objects.checkFromIndexSize(from, count, length);
    retain();
    return new PayloadImpl(memory, offset + from, count);
  }

  @Override
  public Optional<DataItem> part(int from, int count) {
    return Optional.of(slice(from, count));
  }

  @Override
  public boolean tryRetain() {
    return memory.tryRetain();
  }

  @Override
  public boolean tryRelease() {
    return memory.tryRelease();
  }

  @Override
  public Payload retain() {
    if (!tryRetain()) {
      throw new IllegalStateException("The payload was released");
    }
    return this;
  }

  @Override
  public void release() {
    if (!tryRelease()) {
      throw new IllegalStateException("The payload was released");
    }
  }

  @Override
  public String toString() {
    return "Payload of " + length + " bytes" + (memory.released() ? ", released" : "");
  }
}
