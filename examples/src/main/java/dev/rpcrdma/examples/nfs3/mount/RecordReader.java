package dev.rpcrdma.examples.nfs3.mount;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a stream into records (RFC 5531 §11). A record is one or more fragments:
 *
 * <pre>last (1 bit) | length (31 bits) | length bytes</pre>
 */
final class RecordReader {

  private static final int LAST = 0x80000000;
  private static final int HEADER = 4;

  private final int maxLength;
  private Buffer unread = Buffer.buffer();
  private Buffer record = Buffer.buffer();

  /** Creates a reader of records of at most so many bytes. */
  RecordReader(int maxLength) {
    this.maxLength = maxLength;
  }

  /** Takes what has arrived; gives the records that are complete now. */
  List<Buffer> read(Buffer arrived) throws RecordException {
    List<Buffer> complete = new ArrayList<>(1);
    unread = unread.length() == 0 ? arrived : unread.copy().appendBuffer(arrived);
    int at = 0;
    while (unread.length() - at >= HEADER) {
      int header = unread.getInt(at);
      int length = header & ~LAST;
      // In this order, so that nothing is gathered that will not be taken.
      if (length > maxLength - record.length()) {
        throw new RecordException("A record of more than " + maxLength + " bytes");
      }
      if (unread.length() - at - HEADER < length) {
        break;
      }
      record.appendBuffer(unread.slice(at + HEADER, at + HEADER + length));
      at += HEADER + length;
      if ((header & LAST) != 0) {
        complete.add(record);
        record = Buffer.buffer();
      }
    }
    unread = unread.getBuffer(at, unread.length());
    return complete;
  }

  /** A record of one fragment. */
  static Buffer framed(byte[] bytes) {
    return Buffer.buffer(HEADER + bytes.length).appendInt(LAST | bytes.length).appendBytes(bytes);
  }
}
