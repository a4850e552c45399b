// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.xdr;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * An encoded RPC message or part of one (RFC 8166 §3.2: the Payload stream), whose data items are
 * still apart.
 *
 * <pre>
 *   bytes      | xid … | len A | more | len B | end |        reducedLength
 *   items              ^A             ^B                     offsets into bytes
 *   unreduced  | xid … | len A | A A A pad | more | len B | B B pad | end |
 *                              ^ position A               ^ position B
 * </pre>
 *
 * <p>Immutable apart from the items' own memory, until who made it has it {@link #refill refilled}.
 */
public final class PayloadStream {

  /**
   * A data item and its place.
   *
   * @param data the bytes
   * @param offset where it belongs in the stream without any items
   * @param position where it begins in the stream with all items: the Position of its Read chunk
   *     always a multiple of four
   */
  public record Item(DataItem data, int offset, int position) {}

  /** A stream of no bytes. */
  public static final PayloadStream EMPTY = new PayloadStream(new byte[0], 0, List.of());

  private static final IntPredicate NONE = index -> false;
  private static final byte[] ZEROS = new byte[3];

  private final byte[] bytes;
  private int reducedLength;
  private final List<Item> items;

  PayloadStream(byte[] bytes, int reducedLength, List<Item> items) {
    this.bytes = bytes;
    this.reducedLength = reducedLength;
    this.items = items;
  }

  /**
   * A stream without items.
   *
   * @param bytes of a length that is a multiple of four; they belong to the stream from now on
   * @return the stream
   */
  public static PayloadStream owning(byte[] bytes) {
    return new PayloadStream(bytes, bytes.length, List.of());
  }

  /** Becomes another stream, if it has the room and no items: for who knows that nobody reads it. */
  boolean refill(byte[] from, int length) {
    if (!items.isEmpty() || length > bytes.length) {
      return false;
    }
    System.arraycopy(from, 0, bytes, 0, length);
    reducedLength = length;
    return true;
  }

  /**
   * The data items in stream order.
   *
   * @return an unmodifiable list
   */
  public List<Item> items() {
    return items;
  }

  /**
   * The size with all items reduced.
   *
   * @return bytes
   */
  public int reducedLength() {
    return reducedLength;
  }

  /**
   * The size with all items inline.
   *
   * @return bytes
   */
  public long length() {
    return length(NONE);
  }

  /**
   * The size with some items reduced.
   *
   * @param reduced tells by index which items are left out, together with their padding
   * @return bytes
   */
  public long length(IntPredicate reduced) {
    long sum = reducedLength;
    for (int i = 0; i < items.size(); i++) {
      if (!reduced.test(i)) {
        sum += Xdr.pad((long) items.get(i).data().length());
      }
    }
    return sum;
  }

  /**
   * Lays the stream out with all items inline.
   *
   * @param target receives {@link #length()} bytes at its position, which advances
   */
  public void copyTo(ByteBuffer target) {
    copyTo(target, NONE);
  }

  /**
   * Lays the stream out.
   *
   * @param target receives {@code length(reduced)} bytes at its position, which advances
   * @param reduced tells by index which items are left out
   */
  public void copyTo(ByteBuffer target, IntPredicate reduced) {
    copy(target, 0, 0, items.size(), reduced);
  }

  /** From an offset, with items from one up to another, to where that other one belongs. */
  private void copy(ByteBuffer target, int offset, int first, int before, IntPredicate reduced) {
    int from = offset;
    for (int i = first; i < before; i++) {
      if (reduced.test(i)) {
        continue;
      }
      Item item = items.get(i);
      target.put(bytes, from, item.offset() - from);
      from = item.offset();
      int size = item.data().length();
      item.data().copyTo(target);
      target.put(ZEROS, 0, Xdr.pad(size) - size);
    }
    target.put(bytes, from, offset(before) - from);
  }

  /**
   * The size of the part between two items that are apart.
   *
   * @param after index of the item that it begins behind, with that item's padding; -1 for the beginning
   * @param before index of the item that it ends before; the number of items for the end
   * @param reduced tells by index which items between them are left out
   * @return bytes
   */
  public long partLength(int after, int before, IntPredicate reduced) {
    long sum = offset(before) - offset(after) + padding(after);
    for (int i = after + 1; i < before; i++) {
      sum += reduced.test(i) ? 0 : Xdr.pad((long) items.get(i).data().length());
    }
    return sum;
  }

  /**
   * Lays the part between two items out; parameters as of {@link #partLength}.
   *
   * @param target receives that many bytes at its position, which advances
   */
  public void copyPart(ByteBuffer target, int after, int before, IntPredicate reduced) {
    target.put(ZEROS, 0, padding(after));
    copy(target, offset(after), after + 1, before, reduced);
  }

  private int offset(int item) {
    return item < 0 ? 0 : item < items.size() ? items.get(item).offset() : reducedLength;
  }

  private int padding(int item) {
    return item < 0 ? 0 : Xdr.pad(items.get(item).data().length()) - items.get(item).data().length();
  }

  /**
   * A copy with all items inline.
   *
   * @return the bytes
   */
  public byte[] toByteArray() {
    byte[] copy = new byte[Math.toIntExact(length())];
    copyTo(ByteBuffer.wrap(copy), NONE);
    return copy;
  }

  /**
   * A copy that shares no memory with this stream that others may change, and whose items are still
   * apart.
   *
   * @return on the heap, as long as it must be; this, if it is that already
   */
  public PayloadStream copy() {
    if (items.isEmpty() && bytes.length == reducedLength) {
      return this;
    }
    List<Item> copies = new ArrayList<>(items.size());
    for (Item item : items) {
      copies.add(new Item(DataItem.of(item.data().toByteArray()), item.offset(),
          item.position()));
    }
    return new PayloadStream(Arrays.copyOf(bytes, reducedLength), reducedLength,
        List.copyOf(copies));
  }

  /**
   * Adds one owner to each item, or to none.
   *
   * @return false if one has no owner left
   */
  public boolean tryRetainItems() {
    for (int i = 0; i < items.size(); i++) {
      if (!items.get(i).data().tryRetain()) {
        items.subList(0, i).forEach(item -> item.data().release());
        return false;
      }
    }
    return true;
  }

  /**
   * Adds one owner to each item.
   *
   * @throws IllegalStateException if one has no owner left; the others have the owners they had
   */
  public void retainItems() {
    if (!tryRetainItems()) {
      throw new IllegalStateException("A payload has been released before it was sent");
    }
  }

  /**
   * Takes one owner of each item away that has one left: somebody may have released what was not his any
   * more, and its memory is back where it belongs then.
   *
   * @return whether each had one
   */
  public boolean releaseItemsLeft() {
    boolean all = true;
    for (int i = 0; i < items.size(); i++) {
      all &= items.get(i).data().tryRelease();
    }
    return all;
  }

  /** Takes one owner of each item away; for who knows that each has one. */
  public void releaseItems() {
    for (int i = 0; i < items.size(); i++) {
      items.get(i).data().release();
    }
  }
}
