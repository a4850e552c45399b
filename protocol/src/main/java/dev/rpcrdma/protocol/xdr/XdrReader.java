// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.xdr;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Decodes XDR (RFC 4506) and trusts nothing: each read checks what is left before it takes or
 * allocates anything, and each value its domain. Not thread-safe.
 */
public final class XdrReader {

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private ByteBuffer buffer;
  private final ItemSource source;
  /** Whether the buffer's memory is used for something else when the message is done with. */
  private final boolean passing;
  /** The buffer's position at which the stream begins. */
  private int start;
  /** Bytes of the taken items with their padding: unreduced offset = place in the buffer + this. */
  private long itemBytes;
  private boolean viewed;

  /**
   * Reads the remaining bytes of a buffer that has everything inline.
   *
   * @param buffer the bytes; not copied, position and limit are not moved
   */
  public XdrReader(ByteBuffer buffer) {
    this(buffer, ItemSource.NONE);
  }

  /**
   * Reads the remaining bytes of a buffer, and data items from elsewhere.
   *
   * @param buffer the reduced stream; not copied, position and limit are not moved
   * @param source the items that left it
   */
  public XdrReader(ByteBuffer buffer, ItemSource source) {
    this(source, buffer.slice(), false);
  }

  private XdrReader(ItemSource source, ByteBuffer own, boolean passing) {
    this.buffer = own;
    this.start = own.position();
    this.source = source;
    this.passing = passing;
  }

  /**
   * Reads a buffer that nobody else looks at.
   *
   * @param own the reduced stream, from its position to its limit; the position is the reader's from
   *     now on
   * @param source the items that left it
   * @return a reader at its beginning
   */
  public static XdrReader owning(ByteBuffer own, ItemSource source) {
    return new XdrReader(source, own, false);
  }

  /**
   * Reads a buffer that is used for something else when the message is done with: data items that are in
   * it are copied for whoever retains them, who need not know which way they came.
   *
   * @param lent the reduced stream, from its position to its limit; the position is the reader's from
   *     now on
   * @param source the items that left it
   * @return a reader at its beginning
   */
  public static XdrReader passing(ByteBuffer lent, ItemSource source) {
    return new XdrReader(source, lent, true);
  }

  /**
   * Reads an int, unsigned int or enum value (RFC 4506 §4.1–§4.3).
   *
   * @return 32 bits
   */
  public int int32() {
    need(4);
    return buffer.getInt();
  }

  /**
   * Reads a hyper or unsigned hyper (RFC 4506 §4.5).
   *
   * @return 64 bits
   */
  public long int64() {
    need(8);
    return buffer.getLong();
  }

  /**
   * Reads a bool (RFC 4506 §4.4).
   *
   * @return the value
   */
  public boolean bool() {
    int value = int32();
    if (value != 0 && value != 1) {
      throw failure("a bool must be 0 or 1, not " + Integer.toUnsignedString(value));
    }
    return value == 1;
  }

  /**
   * Reads a float (RFC 4506 §4.6).
   *
   * @return the value
   */
  public float float32() {
    return Float.intBitsToFloat(int32());
  }

  /**
   * Reads a double (RFC 4506 §4.7).
   *
   * @return the value
   */
  public double float64() {
    return Double.longBitsToDouble(int64());
  }

  /**
   * Reads fixed-length opaque data (RFC 4506 §4.9).
   *
   * @param length number of bytes
   * @return a copy
   */
  public byte[] fixedOpaque(int length) {
    int at = buffer.position();
    skipOpaque(length);
    byte[] bytes = new byte[length];
    buffer.get(at, bytes);
    return bytes;
  }

  /**
   * Reads variable-length opaque data (RFC 4506 §4.10).
   *
   * @param maxLength the bound of its declaration
   * @return a copy
   */
  public byte[] opaque(int maxLength) {
    return fixedOpaque(count(maxLength));
  }

  /**
   * Makes a value of opaque data.
   *
   * @param <T> the value's type
   */
  @FunctionalInterface
  public interface OpaqueDecoder<T> {

    /**
     * Makes the value; neither the array nor what else is in it may be used afterwards.
     *
     * @param array holds the data
     * @param offset index of its first byte
     * @param length number of bytes
     * @return the value, which does not refer to the array
     */
    T decode(byte[] array, int offset, int length);
  }

  /**
   * Reads variable-length opaque data without a copy in between (RFC 4506 §4.10).
   *
   * @param maxLength the bound of its declaration
   * @param decoder makes the value
   * @param <T> the value's type
   * @return the value
   */
  public <T> T opaque(int maxLength, OpaqueDecoder<T> decoder) {
    int length = count(maxLength);
    if (!buffer.hasArray()) {
      return decoder.decode(fixedOpaque(length), 0, length);
    }
    int at = buffer.position();
    skipOpaque(length);
    return decoder.decode(buffer.array(), buffer.arrayOffset() + at, length);
  }

  /**
   * Reads variable-length opaque data without copying.
   *
   * @param maxLength the bound of its declaration
   * @return a read-only view, valid as long as the message is
   */
  public ByteBuffer opaqueView(int maxLength) {
    int length = count(maxLength);
    int at = buffer.position();
    skipOpaque(length);
    viewed = true;
    return buffer.slice(at, length).asReadOnlyBuffer();
  }

  /**
   * Reads a string, which must be UTF-8 (RFC 4506 §4.11).
   *
   * @param maxLength the bound of its declaration, in bytes
   * @return the text
   */
  public String string(int maxLength) {
    ByteBuffer view = opaqueView(maxLength);
    try {
      return StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT).decode(view).toString();
    } catch (CharacterCodingException e) {
      throw failure("a string is not UTF-8");
    }
  }

  /**
   * Reads variable-length opaque data that the upper-layer binding declares DDP-eligible, wherever
   * the peer put it.
   *
   * @param maxLength the bound of its declaration
   * @return the data, valid as long as the message is. Placed data, and large data that was pulled, is counted
   *     memory that is lent, other inline data a view: who keeps it longer retains it
   */
  public DataItem dataItem(int maxLength) {
    int length = count(maxLength);
    Optional<DataItem> placed = source.take(position(), length);
    if (placed.isPresent()) {
      itemBytes += Xdr.pad((long) length);
      return placed.get();
    }
    int at = buffer.position();
    skipOpaque(length);
    viewed = true;
    Optional<DataItem> shared = passing ? source.inline(at - start, length) : Optional.empty();
    if (shared.isPresent()) {
      return shared.get();
    }
    DataItem inline = DataItem.of(buffer.slice(at, length));
    return passing ? new PassingDataItem(inline) : inline;
  }

  /**
   * Reads the element count of a variable-length array or the length of an opaque.
   *
   * @param max the bound of its declaration
   * @return the count, 0 to {@code max}
   */
  public int count(int max) {
    int count = int32();
    if (Integer.compareUnsigned(count, max) > 0) {
      throw failure("a count of " + Integer.toUnsignedString(count) + " exceeds its bound of "
          + max);
    }
    return count;
  }

  /**
   * Reads the element count of an array whose elements have a least size, so that no more is
   * allocated than the message can fill.
   *
   * @param max the bound of its declaration
   * @param leastElementSize the least number of bytes that an element takes, at least 4 unless
   *     elements may be empty
   * @return the count
   */
  public int count(int max, int leastElementSize) {
    int count = count(max);
    // Items that left the stream do not count here: an element's own words stay inline.
    if ((long) count * leastElementSize > buffer.remaining()) {
      throw failure("an array of " + count + " elements does not fit into the "
          + buffer.remaining() + " bytes left");
    }
    return count;
  }

  /**
   * The offset of the next byte in the unreduced stream.
   *
   * @return bytes from where this reader began
   */
  public long position() {
    return buffer.position() - start + itemBytes;
  }

  /**
   * How much of the reduced stream is left.
   *
   * @return bytes
   */
  public int remaining() {
    return buffer.remaining();
  }

  /**
   * What is left of the reduced stream, to be looked at without being read.
   *
   * @return a read-only view, valid as long as the message is
   */
  public ByteBuffer rest() {
    viewed = true;
    return buffer.slice().asReadOnlyBuffer();
  }

  /**
   * Ends reading: there is nothing left. Whoever owns the buffer may use it for something else then,
   * unless a view of it was given out.
   *
   * @return whether one was
   */
  public boolean close() {
    buffer = NOTHING;
    start = 0;
    return viewed;
  }

  /**
   * Checks that all was read: a message with something left over is not the expected one.
   *
   * @throws XdrException if bytes or data items are left
   */
  public void end() {
    if (buffer.hasRemaining()) {
      throw failure(buffer.remaining() + " bytes are left over");
    }
    if (source.nextPosition() != Long.MAX_VALUE) {
      throw failure("a chunk at position " + source.nextPosition() + " is left over");
    }
  }

  /** Goes behind opaque data and its padding, once they are known to be there. */
  private void skipOpaque(int length) {
    if (length < 0) {
      throw failure("a length of " + Integer.toUnsignedString(length) + " is not supported");
    }
    // In 64 bits, so that padding cannot wrap the sum (B-103).
    need(Xdr.pad((long) length));
    buffer.position(buffer.position() + Xdr.pad(length));
  }

  private void need(long count) {
    if (count > buffer.remaining()) {
      throw failure(count + " bytes are needed, " + buffer.remaining() + " are left");
    }
    if (source == ItemSource.NONE) {
      return;
    }
    long chunk = source.nextPosition();
    // what a chunk replaces must be an item that may be reduced.
    if (chunk >= position() && chunk < position() + count) {
      throw failure("a chunk at position " + chunk + " holds something that is not DDP-eligible");
    }
  }

  private XdrException failure(String problem) {
    return new XdrException("At byte " + position() + ": " + problem);
  }
}
