// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.stream;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.PayloadHandler;
import dev.rpcrdma.api.PayloadStreamOptions;
import dev.rpcrdma.api.RangeSource;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;

/** Reads a range by parts, some of them ahead, and hands them on in their order. */
public final class RangeFlow extends PayloadFlow {

  private static final class Part {

    private final long offset;
    private final int length;
    /** Null until it is here. */
    private Payload payload;

    Part(long offset, int length) {
      this.offset = offset;
      this.length = length;
    }
  }

  private final RangeSource source;
  private final long end;
  /** What was asked for and not handed on. */
  private final Deque<Part> ahead = new ArrayDeque<>();
  private long position;
  /** Parts that are not here yet. */
  private int reading;

  /**
   * Checks the range.
   *
   * @param vertx has the context
   * @param offset first byte
   * @param length number of bytes
   * @param options length and number of the parts
   * @param source has them
   * @param handler takes them
   */
  public RangeFlow(Vertx vertx, long offset, long length, PayloadStreamOptions options, RangeSource source,
      PayloadHandler handler) {
    super(vertx, options, handler);
    if (offset < 0 || length < 0 || offset > Long.MAX_VALUE - length) {
      throw new IllegalArgumentException("No range: " + length + " bytes at " + offset);
    }
    this.source = Objects.requireNonNull(source, "source");
    this.position = offset;
    this.end = offset + length;
  }

  @Override
  protected void advance() {
    while (!failed() && !ahead.isEmpty() && ahead.peek().payload != null) {
      Part first = ahead.remove();
      hand(first.offset, first.payload);
    }
    while (!failed() && position < end && hasRoom(ahead.size())) {
      Part next = new Part(position, (int) Math.min(chunkSize(), end - position));
      position += next.length;
      ahead.add(next);
      read(next);
    }
  }

  private void read(Part part) {
    reading++;
    Future<Payload> payload;
    try {
      payload = Objects.requireNonNull(source.read(part.offset, part.length), "The source returned null");
    } catch (Throwable e) {
      payload = Future.failedFuture(e);
    }
    payload.onComplete(result -> later(() -> arrived(part, result)));
  }

  private void arrived(Part part, AsyncResult<Payload> result) {
    reading--;
    if (result.failed()) {
      fail(result.cause());
      return;
    }
    Payload payload = Objects.requireNonNull(result.result(), "The source has read null");
    if (payload.length() != part.length) {
      fail(new IOException("Of " + part.length + " bytes at " + part.offset + " the source has read "
          + payload.length()));
    }
    if (failed()) {
      release(payload);
    } else {
      part.payload = payload;
    }
  }

  @Override
  protected boolean exhausted() {
    return position == end && ahead.isEmpty();
  }

  @Override
  protected int awaited() {
    return reading;
  }

  @Override
  protected void abandon() {
    ahead.stream().filter(part -> part.payload != null).forEach(part -> release(part.payload));
    ahead.clear();
  }
}
