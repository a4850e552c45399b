// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import java.nio.ByteBuffer;

/**
 * Where a channel reads to: Netty asks for a buffer before each read and gets the connection's
 * staging buffer, which keeps what was not handled yet in front of what is read next. Beneath TLS the
 * channel reads elsewhere, and what was decrypted is put in.
 */
final class InboundStaging extends DefaultMaxMessagesRecvByteBufAllocator {

  /** Reads in one turn of the loop, so that one connection does not starve the others. */
  private static final int READS_PER_TURN = 4;

  /** Below this room, what is unhandled moves to the front. */
  private static final int LEAST_ROOM = Staging.BYTES / 2;

  private Staging staging;
  private ByteBuf buffer;
  private int handled;
  private int readStart;

  InboundStaging() {
    super(READS_PER_TURN);
  }

  /** All of the buffer, for absolute access. */
  ByteBuffer view() {
    return staging.all();
  }

  /** Index of the first byte that is not handled. */
  int from() {
    return handled;
  }

  /** Index of the first byte of the last read. */
  int readStart() {
    return readStart;
  }

  /** Index behind the last byte read. */
  int to() {
    return buffer == null ? 0 : buffer.writerIndex();
  }

  /** Bytes below the index are handled. */
  void handled(int index) {
    handled = index;
    if (handled == to()) {
      handled = 0;
      buffer.clear();
    }
  }

  /** Gives the buffer back if there is nothing in it. */
  void giveBackIfEmpty() {
    if (buffer != null && to() == 0) {
      StagingPool.current().giveBack(staging);
      buffer = null;
      staging = null;
    }
  }

  /** Gives the buffer back with whatever is in it. */
  void discard() {
    if (buffer != null) {
      handled(to());
      giveBackIfEmpty();
    }
  }

  @Override
  public RecvByteBufAllocator.ExtendedHandle newHandle() {
    return new StagingHandle();
  }

  /** Takes as many decrypted bytes as there is room for, as if they had been read. */
  void take(ByteBuf source) {
    ByteBuf room = room();
    room.writeBytes(source, Math.min(source.readableBytes(), room.writableBytes()));
  }

  private ByteBuf room() {
    if (buffer == null) {
      staging = StagingPool.current().lend();
      buffer = staging.memory();
      handled = 0;
    } else if (buffer.writableBytes() < LEAST_ROOM) {
      buffer.readerIndex(handled).discardReadBytes();
      handled = 0;
    }
    readStart = buffer.writerIndex();
    return buffer;
  }

  private final class StagingHandle extends MaxMessageHandle {

    @Override
    public int guess() {
      return Staging.BYTES;
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator allocator) {
      // The reference that Netty gives up after a read of nothing, or the reader after one of
      // something.
      return room().retain();
    }
  }
}
