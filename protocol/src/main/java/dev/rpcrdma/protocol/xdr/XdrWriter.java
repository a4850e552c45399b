// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.xdr;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Encodes values to XDR (RFC 4506): big-endian, each item a multiple of four bytes.
 *
 * <p>Opaque data handed to {@link #dataItem} is noted, not copied; see {@link PayloadStream}. Not
 * thread-safe.
 */
public final class XdrWriter {

  /** Bytes that cover the header of an array on the heap. */
  private static final int HEAD = 16;
  /** Capacity in bytes from which unused memory matters. */
  private static final int LARGE = 4096;
  private static final int INITIAL_CAPACITY = 256 - HEAD;
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private byte[] bytes;
  private int length;
  private List<PayloadStream.Item> items = List.of();
  /** Bytes of the noted items with their padding: unreduced offset = length + itemBytes. */
  private long itemBytes;

  /** Creates an empty writer. */
  public XdrWriter() {
    this(INITIAL_CAPACITY);
  }

  /**
   * Creates an empty writer.
   *
   * @param capacity how many bytes it holds before it has to grow
   */
  public XdrWriter(int capacity) {
    this.bytes = new byte[capacity];
  }

  /**
   * Writes an int, unsigned int or enum value (RFC 4506 §4.1–§4.3).
   *
   * @param value 32 bits
   * @return this
   */
  public XdrWriter int32(int value) {
    reserve(4);
    WORDS.set(bytes, length, value);
    length += 4;
    return this;
  }

  /**
   * Writes a hyper or unsigned hyper (RFC 4506 §4.5).
   *
   * @param value 64 bits
   * @return this
   */
  public XdrWriter int64(long value) {
    return int32((int) (value >>> 32)).int32((int) value);
  }

  /**
   * Writes a bool (RFC 4506 §4.4).
   *
   * @param value the value
   * @return this
   */
  public XdrWriter bool(boolean value) {
    return int32(value ? 1 : 0);
  }

  /**
   * Writes a float (RFC 4506 §4.6).
   *
   * @param value the value
   * @return this
   */
  public XdrWriter float32(float value) {
    return int32(Float.floatToRawIntBits(value));
  }

  /**
   * Writes a double (RFC 4506 §4.7).
   *
   * @param value the value
   * @return this
   */
  public XdrWriter float64(double value) {
    return int64(Double.doubleToRawLongBits(value));
  }

  /**
   * Writes fixed-length opaque data: the bytes and padding, no length (RFC 4506 §4.9).
   *
   * @param value the bytes
   * @return this
   */
  public XdrWriter fixedOpaque(byte[] value) {
    int at = padded(value.length);
    System.arraycopy(value, 0, bytes, at, value.length);
    return this;
  }

  /**
   * Writes fixed-length opaque data: the bytes and padding, no length (RFC 4506 §4.9).
   *
   * @param value the remaining bytes; position and limit are not moved
   * @return this
   */
  public XdrWriter fixedOpaque(ByteBuffer value) {
    int size = value.remaining();
    int at = padded(size);
    value.get(value.position(), bytes, at, size);
    return this;
  }

  /** Makes room for opaque data and writes its padding; tells where the data goes. */
  private int padded(int size) {
    int padded = Xdr.pad(size);
    reserve(padded);
    Arrays.fill(bytes, length + size, length + padded, (byte) 0);
    length += padded;
    return length - padded;
  }

  /**
   * Writes variable-length opaque data: length, bytes, padding (RFC 4506 §4.10).
   *
   * @param value the bytes
   * @return this
   */
  public XdrWriter opaque(byte[] value) {
    return int32(value.length).fixedOpaque(value);
  }

  /** Puts opaque data in its place. */
  @FunctionalInterface
  public interface OpaqueSource {

    /**
     * Copies all of it.
     *
     * @param target where to
     * @param offset index of the first byte
     */
    void copyTo(byte[] target, int offset);
  }

  /**
   * Writes variable-length opaque data without a copy in between: length, bytes, padding (RFC 4506
   * §4.10).
   *
   * @param size number of bytes
   * @param source copies that many
   * @return this
   */
  public XdrWriter opaque(int size, OpaqueSource source) {
    int32(size);
    // First the room: making it may put another array in the place of this one.
    int at = padded(size);
    source.copyTo(bytes, at);
    return this;
  }

  /**
   * Writes variable-length opaque data: length, bytes, padding (RFC 4506 §4.10).
   *
   * @param value the remaining bytes; position and limit are not moved
   * @return this
   */
  public XdrWriter opaque(ByteBuffer value) {
    return int32(value.remaining()).fixedOpaque(value);
  }

  /**
   * Writes a string as UTF-8 (RFC 4506 §4.11).
   *
   * @param value the text
   * @return this
   * @throws IllegalArgumentException if there is half of a surrogate pair, which UTF-8 does not have; Java would write
   *     a question mark
   */
  public XdrWriter string(String value) {
    for (int i = 0; i < value.length(); i++) {
      if (Character.isSurrogate(value.charAt(i))) {
        checkSurrogates(value, i);
        break;
      }
    }
    return opaque(value.getBytes(StandardCharsets.UTF_8));
  }

  private static void checkSurrogates(String value, int from) {
    for (int i = from; i < value.length(); i += Character.charCount(value.codePointAt(i))) {
      int point = value.codePointAt(i);
      if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
        throw new IllegalArgumentException("The text has half of a surrogate pair at index " + i);
      }
    }
  }

  /**
   * Writes variable-length opaque data that may be placed directly: its length now, its bytes by
   * whatever way the transport chooses. The upper-layer binding must declare it DDP-eligible
   * (R-060).
   *
   * @param item the data; must not change until the message has gone
   * @return this
   */
  public XdrWriter dataItem(DataItem item) {
    int32(item.length());
    if (items.isEmpty()) {
      items = new ArrayList<>(1);
    }
    items.add(new PayloadStream.Item(item, length, Math.toIntExact(length + itemBytes)));
    itemBytes += Xdr.pad(item.length());
    return this;
  }

  /**
   * Overwrites a word written before.
   *
   * @param offset where, in bytes from the start, not counting data items
   * @param value 32 bits
   * @return this
   */
  public XdrWriter overwriteInt32(int offset, int value) {
    if (offset < 0 || offset > length - 4) {
      throw new IndexOutOfBoundsException("No word at " + offset + " of " + length);
    }
    WORDS.set(bytes, offset, value);
    return this;
  }

  /**
   * How much was written.
   *
   * @return the number of bytes, not counting data items
   */
  public int length() {
    return length;
  }

  /**
   * How many data items were noted.
   *
   * @return a count
   */
  public int items() {
    return items.size();
  }

  /**
   * Whether data items were noted.
   *
   * @return true if what was written is more than {@link #length} bytes
   */
  public boolean hasItems() {
    return !items.isEmpty();
  }

  /**
   * Copies what was written, without data items.
   *
   * @param target receives {@link #length} bytes at its position, which advances
   */
  public void copyTo(ByteBuffer target) {
    target.put(bytes, 0, length);
  }

  /**
   * Forgets what was written, so that the writer and its memory can be used again.
   *
   * @return this
   */
  public XdrWriter clear() {
    length = 0;
    if (!items.isEmpty()) {
      items = List.of();
      itemBytes = 0;
    }
    return this;
  }

  /**
   * Returns how much memory on the heap the stream of {@link #toPayloadStream} will hold.
   *
   * @return bytes, including those of data items on the heap
   */
  public long memory() {
    long held = wasteful() ? length : bytes.length;
    for (PayloadStream.Item item : items) {
      held += isOnHeap(item.data()) ? item.data().length() : 0;
    }
    return held;
  }

  private static boolean isOnHeap(DataItem item) {
    return item instanceof HeapDataItem || item instanceof PassingDataItem passing && passing.isCopied();
  }

  /** Returns whether more than a quarter of a large array is unused, so that a copy is worth its time. */
  private boolean wasteful() {
    return bytes.length >= LARGE && bytes.length - length > bytes.length / 4;
  }

  /**
   * Ends writing and hands over what was written. The writer must not be used any more.
   *
   * @return the stream, which owns the writer's memory, or a copy if more than a quarter of that is not used
   */
  public PayloadStream toPayloadStream() {
    return new PayloadStream(wasteful() ? Arrays.copyOf(bytes, length) : bytes, length, List.copyOf(items));
  }

  /**
   * A copy of what was written. The writer can be used on, after {@link #clear}.
   *
   * @return the stream, in memory of its own but for the data items
   */
  public PayloadStream copyToPayloadStream() {
    return new PayloadStream(Arrays.copyOf(bytes, length), length, List.copyOf(items));
  }

  /**
   * A copy of what was written. The writer can be used on, after {@link #clear}.
   *
   * @param spent a stream that nobody reads any more; it becomes the copy if it has the room, and
   *     neither has data items
   * @return the stream, in memory of its own but for the data items
   */
  public PayloadStream copyToPayloadStream(PayloadStream spent) {
    return items.isEmpty() && spent.refill(bytes, length) ? spent : copyToPayloadStream();
  }

  /**
   * A copy of what was written, with all data items inline.
   *
   * @return the bytes
   */
  public byte[] toByteArray() {
    if (items.isEmpty()) {
      return Arrays.copyOf(bytes, length);
    }
    return new PayloadStream(bytes, length, items).toByteArray();
  }

  private void reserve(int count) {
    int needed = Math.addExact(length, count);
    if (needed > bytes.length) {
      // Array and header together are a power of two: G1 gives a whole region to an array above half a region.
      long doubled = 2L * (bytes.length + HEAD) - HEAD;
      bytes = Arrays.copyOf(bytes, Math.max(needed, (int) Math.min(doubled, Integer.MAX_VALUE - HEAD)));
    }
  }
}
