// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;

/** A staging buffer with the views of it that reading and writing take, made once. */
final class Staging {

  /** Twice the longest FPDU and a bit, so that what is incomplete leaves room for as much again. */
  static final int BYTES = 192 * 1024;

  private final ByteBuf memory = PooledByteBufAllocator.DEFAULT.directBuffer(BYTES, BYTES);
  private final ByteBuffer all = memory.nioBuffer(0, BYTES);
  private final ByteBuffer[] pieces = new ByteBuffer[OutboundBatch.MAX_PIECES];

  /** What Netty reads into. */
  ByteBuf memory() {
    return memory;
  }

  /** All of it; position and limit are the user's. */
  ByteBuffer all() {
    return all;
  }

  /**
   * One of the views for a gathered write.
   *
   * @param number which of them, below {@link OutboundBatch#MAX_PIECES}
   * @return a view of the range, good until the same number is asked for again
   */
  ByteBuffer piece(int number, int from, int to) {
    if (pieces[number] == null) {
      pieces[number] = all.duplicate();
    }
    return pieces[number].clear().limit(to).position(from);
  }

  void release() {
    memory.release();
  }
}
