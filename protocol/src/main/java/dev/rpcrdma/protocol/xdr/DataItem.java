// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.xdr;

import java.nio.ByteBuffer;
import java.util.Optional;

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
   * A part of the item that shares its memory and its owners.
   *
   * @param offset first byte
   * @param length number of bytes
   * @return an owner of its own, to be released; empty if it cannot be shared
   */
  default Optional<DataItem> part(int offset, int length) {
    return Optional.empty();
  }

  /**
   * Adds one owner, if there is one. One step, from any thread: it is never added to memory that is free.
   *
   * @return false if it has been released for the last time
   */
  default boolean tryRetain() {
    return true;
  }

  /**
   * Takes one owner away, if there is one; the last one frees the memory. One step, from any thread.
   *
   * @return false if it has been released for the last time before
   */
  default boolean tryRelease() {
    return true;
  }

  /**
   * Adds one owner.
   *
   * @return this
   * @throws IllegalStateException if it has been released for the last time
   */
  default DataItem retain() {
    if (!tryRetain()) {
      throw new IllegalStateException("It has been released: " + this);
    }
    return this;
  }

  /**
   * Takes one owner away; the last one frees the memory.
   *
   * @throws IllegalStateException if it has been released for the last time before
   */
  default void release() {
    if (!tryRelease()) {
      throw new IllegalStateException("It has been released before: " + this);
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
