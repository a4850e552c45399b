package dev.rpcrdma.protocol.xdr;

import java.nio.ByteBuffer;

/**
 * The bytes of one variable-length opaque that may be placed directly (a DDP-eligible data item,
 * RFC 8166 §3.4.2).
 *
 * <p>Items are counted: whoever keeps one longer than the call that handed it over takes
 * {@link #retain()} and gives it back with {@link #release()}. For items on the heap both do nothing.
 */
public interface DataItem {

  /**
   * The size.
   *
   * @return the number of bytes, without XDR padding
   */
  int length();

  /**
   * Copies all bytes.
   *
   * @param target receives {@link #length()} bytes at its position, which advances
   */
  void copyTo(ByteBuffer target);

  /**
   * The bytes, to be read where they are.
   *
   * @return a view from 0 to {@link #length()}, valid until the item is released: of the memory
   *     itself, or of a copy if the item has no memory that can be viewed
   */
  default ByteBuffer bytes() {
    return ByteBuffer.wrap(toByteArray());
  }

  /**
   * Adds one owner.
   *
   * @return this
   * @throws IllegalStateException if it has none left
   */
  default DataItem retain() {
    return this;
  }

  /**
   * Takes one owner away; the last one frees the memory.
   *
   * @throws IllegalStateException if it has none left
   */
  default void release() {}

  /**
   * Takes an owner away, if there is one left.
   *
   * @param item what may have been released by somebody else
   * @return whether there was one
   */
  static boolean releaseIfLeft(DataItem item) {
    try {
      item.release();
      return true;
    } catch (IllegalStateException e) {
      // Nothing is kept, and nobody else is to suffer for it.
      return false;
    }
  }

  /**
   * Copies all bytes into a new array.
   *
   * @return the copy
   */
  default byte[] toByteArray() {
    byte[] bytes = new byte[length()];
    copyTo(ByteBuffer.wrap(bytes));
    return bytes;
  }

  /**
   * An item over bytes on the heap, which must not change while it is in use.
   *
   * @param bytes the data, not copied
   * @return the item
   */
  static DataItem of(byte[] bytes) {
    return new HeapDataItem(ByteBuffer.wrap(bytes));
  }

  /**
   * An item over the remaining bytes of a buffer, which must not change while it is in use.
   *
   * @param bytes the data, not copied; position and limit are not moved
   * @return the item
   */
  static DataItem of(ByteBuffer bytes) {
    return new HeapDataItem(bytes.slice());
  }
}
