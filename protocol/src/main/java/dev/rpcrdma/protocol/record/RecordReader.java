// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.record;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts a stream into records (RFC 5531 §11). A record is one or more fragments, of any length, zero included:
 *
 * <pre>last (1 bit) | length (31 bits) | length bytes</pre>
 *
 * <p>Memory is taken for what has arrived, and not for what a mark announces. Not thread-safe. Once it has failed the
 * stream has no meaning any more, and it fails again with whatever else arrives.
 */
public final class RecordReader {

  /** The bound of a record that most readers want: 1 MiB. */
  public static final int DEFAULT_MAX_LENGTH = 1 << 20;

  /** Nobody needs any; they could go on for ever without the bound of the length being met. */
  private static final int MAX_EMPTY_FRAGMENTS = 16;
  private static final int FIRST_CAPACITY = 512;

  private final int maxLength;
  private final ByteBuffer mark = ByteBuffer.allocate(RecordMark.LENGTH);
  private byte[] record = new byte[0];
  /** Of the record, so far. */
  private int length;
  /** Of the fragment, still to come. */
  private int missing;
  private boolean last;
  private int emptyFragments;
  private RecordException failure;

  /**
   * Creates a reader.
   *
   * @param maxLength of a record, in bytes, without marks
   */
  public RecordReader(int maxLength) {
    this.maxLength = maxLength;
  }

  /**
   * Takes what has arrived.
   *
   * @param arrived read to its end
   * @return the records that are complete now, in their order
   * @throws RecordException if a record is longer than its bound, or has too many empty fragments; or if one was before
   */
  public List<byte[]> read(ByteBuffer arrived) {
    if (failure != null) {
      // Connections that are being closed may still be told of what arrives.
      throw failure;
    }
    List<byte[]> complete = new ArrayList<>(1);
    while (arrived.hasRemaining()) {
      if (missing == 0) {
        mark.put(arrived.get());
        if (mark.hasRemaining()) {
          continue;
        }
        begin(mark.flip().getInt());
        mark.clear();
      }
      take(arrived);
      if (missing == 0 && last) {
        complete.add(Arrays.copyOf(record, length));
        record = new byte[0];
        length = 0;
        last = false;
        emptyFragments = 0;
      }
    }
    return complete;
  }

  /**
   * Whether a record has begun and is not complete.
   *
   * @return false between records
   */
  public boolean isMidRecord() {
    return length > 0 || missing > 0 || emptyFragments > 0 || mark.position() > 0;
  }

  private void begin(int word) {
    // In this order, so that nothing is gathered that will not be taken.
    if (RecordMark.length(word) > maxLength - length) {
      throw failed("A record of more than " + maxLength + " bytes");
    }
    missing = RecordMark.length(word);
    last = RecordMark.isLast(word);
    if (missing == 0 && !last && ++emptyFragments > MAX_EMPTY_FRAGMENTS) {
      throw failed("A record with more than " + MAX_EMPTY_FRAGMENTS + " empty fragments");
    }
  }

  private RecordException failed(String why) {
    failure = new RecordException(why);
    return failure;
  }

  private void take(ByteBuffer arrived) {
    int count = Math.min(missing, arrived.remaining());
    if (length + count > record.length) {
      record = Arrays.copyOf(record, Math.max(length + count, Math.min(maxLength,
          Math.max(FIRST_CAPACITY, 2 * record.length))));
    }
    arrived.get(record, length, count);
    length += count;
    missing -= count;
  }
}
