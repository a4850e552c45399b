// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;

/** Reads a file as data and holes. A hole is a block of zeros, or several: Java cannot ask where a file has none. */
final class ExtentReader {

  /** A smaller hole costs as much as its zeros. */
  static final int BLOCK = 4096;
  private static final int PIECE = 256 * BLOCK;

  private final ByteBuffer zeros = ByteBuffer.allocate(BLOCK);
  private final List<Extent> extents = new ArrayList<>();
  private final int maxData;
  private int data;
  /** What was read of the extent that goes on; null in a hole. */
  private Buffer bytes;
  private long start;
  private long position;

  private ExtentReader(long offset, int maxData) {
    this.start = offset;
    this.position = offset;
    this.maxData = maxData;
  }

  /**
   * Reads.
   *
   * @param file what to read
   * @param offset first byte
   * @param end where to end, at most the file's size
   * @param maxData how many bytes of data to read before ending earlier
   * @return extents one after the other, from the offset on
   */
  static List<Extent> read(FileChannel file, long offset, long end, int maxData) throws IOException {
    ExtentReader reader = new ExtentReader(offset, maxData);
    ByteBuffer piece = ByteBuffer.allocate(PIECE);
    while (reader.position < end && reader.data < maxData) {
      // Pieces end where blocks do.
      int length = (int) Math.min(PIECE - reader.position % BLOCK, end - reader.position);
      piece.clear().limit(length);
      while (piece.hasRemaining()) {
        if (file.read(piece, reader.position + piece.position()) < 0) {
          throw new IOException("The file has become shorter while it was read");
        }
      }
      reader.piece(piece.flip());
    }
    reader.close();
    return reader.extents;
  }

  private void piece(ByteBuffer piece) {
    while (piece.hasRemaining() && data < maxData) {
      int length = (int) Math.min(BLOCK - position % BLOCK, piece.remaining());
      ByteBuffer block = piece.slice(piece.position(), length);
      piece.position(piece.position() + length);
      boolean hole = block.equals(zeros.slice(0, length));
      if (hole == (bytes != null) || start == position) {
        close();
        bytes = hole ? null : Buffer.buffer();
      }
      if (!hole) {
        append(block);
      }
      position += length;
    }
  }

  private void append(ByteBuffer block) {
    byte[] copy = new byte[block.remaining()];
    block.get(copy);
    bytes.appendBytes(copy);
    data += copy.length;
  }

  private void close() {
    if (position > start) {
      extents.add(bytes == null ? Extent.hole(start, position - start) : Extent.data(start, bytes));
      start = position;
    }
  }
}
