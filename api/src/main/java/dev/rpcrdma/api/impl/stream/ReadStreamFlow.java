// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.stream;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.PayloadHandler;
import dev.rpcrdma.api.PayloadStreamOptions;
import dev.rpcrdma.api.impl.memory.ChunkPool;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** Cuts a stream of buffers into payloads. A buffer is asked for when there is memory to copy it to. */
public final class ReadStreamFlow extends PayloadFlow {

  private final ReadStream<Buffer> source;
  private final ChunkPool chunks;
  /** Buffers that are not copied yet: one, unless the source gives more than it was asked for. */
  private final Deque<Buffer> arrived = new ArrayDeque<>();
  /** How much of the first of them is copied. */
  private int copied;
  /** What is being filled; null if that is not asked for, or is awaited. */
  private Payload chunk;
  private ByteBuffer room;
  private boolean awaitsChunk;
  private boolean awaitsBuffer;
  private boolean sourceEnded;
  /** Where the chunk that is filled begins in the stream. */
  private long offset;

  /**
   * Pauses the source, and takes its handlers.
   *
   * @param vertx allocates
   * @param source what to cut
   * @param options length and number of the payloads
   * @param handler takes them
   */
  public ReadStreamFlow(Vertx vertx, ReadStream<Buffer> source, PayloadStreamOptions options,
      PayloadHandler handler) {
    super(vertx, options, handler);
    this.source = source;
    this.chunks = new ChunkPool(vertx, options.chunkSize(), options.maxInFlight());
    try {
      // Now, since a source may begin to flow when its owner returns.
      source.pause();
      source.exceptionHandler(e -> later(() -> fail(e)));
      source.endHandler(end -> later(() -> sourceEnded = true));
      source.handler(buffer -> later(() -> arrived(buffer)));
    } catch (Throwable e) {
      later(() -> fail(e));
    }
  }

  /** Bytes of the memory that was made for this stream, for checks. */
  long memoryBytes() {
    return chunks.bytes();
  }

  private void arrived(Buffer buffer) {
    awaitsBuffer = false;
    if (!failed()) {
      arrived.add(buffer);
    }
  }

  @Override
  protected void advance() {
    copy();
    if (failed() || awaitsChunk) {
      return;
    }
    if (sourceEnded && arrived.isEmpty()) {
      handLast();
    } else if (chunk == null) {
      takeChunk();
    } else if (!awaitsBuffer && arrived.isEmpty()) {
      awaitsBuffer = true;
      source.fetch(1);
    }
  }

  private void copy() {
    while (chunk != null && !arrived.isEmpty()) {
      Buffer first = arrived.peek();
      int length = Math.min(first.length() - copied, room.remaining());
      room.put(first.getBytes(copied, copied + length));
      copied += length;
      if (copied == first.length()) {
        arrived.remove();
        copied = 0;
      }
      if (!room.hasRemaining()) {
        Payload full = chunk;
        chunk = null;
        handNext(full);
      }
    }
  }

  private void handNext(Payload payload) {
    long at = offset;
    offset += payload.length();
    hand(at, payload);
  }

  private void handLast() {
    if (chunk == null) {
      return;
    }
    Payload whole = chunk;
    chunk = null;
    if (room.position() > 0) {
      handNext(whole.slice(0, room.position()));
    }
    whole.release();
  }

  private void takeChunk() {
    awaitsChunk = true;
    chunks.take().onComplete(taken -> later(() -> {
      awaitsChunk = false;
      if (taken.failed()) {
        fail(taken.cause());
      } else if (failed()) {
        taken.result().release();
      } else {
        chunk = taken.result();
        room = chunk.bytes();
      }
    }));
  }

  @Override
  protected boolean exhausted() {
    return sourceEnded && arrived.isEmpty() && chunk == null;
  }

  @Override
  protected int awaited() {
    return awaitsChunk ? 1 : 0;
  }

  @Override
  protected void abandon() {
    arrived.clear();
    if (chunk != null) {
      chunk.release();
      chunk = null;
    }
    // Whoever waits for a chunk hears that there will be none.
    chunks.close();
    try {
      source.pause();
      source.handler(null);
      source.endHandler(null);
      source.exceptionHandler(null);
    } catch (Throwable e) {
      // A source that is closed refuses handlers, and calls none.
    }
  }

  @Override
  protected void ended() {
    chunks.close();
  }
}
