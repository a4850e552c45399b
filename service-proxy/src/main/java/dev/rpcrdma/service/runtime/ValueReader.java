// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcDecodingException;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads XDR as Java values; the counterpart of {@link ValueWriter}. Everything fails with
 * {@link XdrException} if the bytes are not such a value. Collections that it returns belong to the
 * caller and can be changed. Not thread-safe.
 */
public final class ValueReader {

  /** For how many elements there is room before they are read. */
  private static final int FIRST_ROOM = 256;

  private final XdrReader reader;
  private final boolean givenAway;
  /** Null until the first item that becomes a payload. */
  private Items items;
  /** Null until a struct is nested. */
  private Depth depth;
  /** The largest weight of the sets and maps of the element that is being read ({@link Collisions}). */
  int weight;
  /** Whether what is read will be put in an order with others of its kind. */
  boolean ordering;

  private ValueReader(XdrReader reader, boolean givenAway) {
    this.reader = reader;
    this.givenAway = givenAway;
  }

  /** A reader of arguments, whose items are lent. */
  static ValueReader ofArguments(XdrReader reader) {
    return new ValueReader(reader, false);
  }

  /** A reader of results, whose items are given away. */
  static ValueReader ofResults(XdrReader reader) {
    return new ValueReader(reader, true);
  }

  private Items items() {
    if (items == null) {
      items = givenAway ? Items.givenAway() : Items.lent();
    }
    return items;
  }

  /** Ends what is owned of the items that were read. */
  void releaseItems() {
    if (items != null) {
      items.release();
    }
  }

  /**
   * Reads a bool.
   *
   * @return the value
   */
  public boolean bool() {
    return reader.bool();
  }

  /**
   * Reads an int that is in the range of a {@code byte}.
   *
   * @return the value
   */
  public byte int8() {
    return (byte) ranged(Byte.MIN_VALUE, Byte.MAX_VALUE, "a byte");
  }

  /**
   * Reads an int that is in the range of a {@code short}.
   *
   * @return the value
   */
  public short int16() {
    return (short) ranged(Short.MIN_VALUE, Short.MAX_VALUE, "a short");
  }

  /**
   * Reads an unsigned int that is in the range of a {@code char}.
   *
   * @return the value
   */
  public char char16() {
    return (char) ranged(Character.MIN_VALUE, Character.MAX_VALUE, "a char");
  }

  /**
   * Reads an int.
   *
   * @return the value
   */
  public int int32() {
    return reader.int32();
  }

  /**
   * Reads a hyper.
   *
   * @return the value
   */
  public long int64() {
    return reader.int64();
  }

  /**
   * Reads a float.
   *
   * @return the value
   */
  public float float32() {
    return reader.float32();
  }

  /**
   * Reads a double.
   *
   * @return the value
   */
  public double float64() {
    return reader.float64();
  }

  /**
   * Reads an enum constant.
   *
   * @param constants all of its type, by ordinal
   * @param <E> its type
   * @return the constant
   */
  public <E extends Enum<E>> E enumeration(E[] constants) {
    int ordinal = reader.int32();
    if (ordinal < 0 || ordinal >= constants.length) {
      throw new XdrException(ordinal + " is no value of an enum with " + constants.length
          + " constants");
    }
    return constants[ordinal];
  }

  /**
   * Reads text.
   *
   * @param max its bound in bytes
   * @return the text
   */
  public String string(int max) {
    return reader.string(max);
  }

  /**
   * Reads bytes.
   *
   * @param max their bound
   * @return a copy
   */
  public byte[] bytes(int max) {
    return reader.opaque(max);
  }

  /**
   * Reads bytes.
   *
   * @param max their bound
   * @return a copy
   */
  public Buffer buffer(int max) {
    return reader.opaque(max, (array, offset, length) ->
        Buffer.buffer(length).setBytes(0, array, offset, length));
  }

  /**
   * Reads bytes into memory for RDMA.
   *
   * @param max their bound
   * @return a copy
   */
  public Payload payload(int max) {
    return items().payload(DataItem.of(reader.opaqueView(max)));
  }

  /**
   * Reads a DDP-eligible item.
   *
   * @param max its bound
   * @return a copy
   */
  public byte[] placedBytes(int max) {
    return reader.dataItem(max).toByteArray();
  }

  /**
   * Reads a DDP-eligible item.
   *
   * @param max its bound
   * @return a copy
   */
  public Buffer placedBuffer(int max) {
    return Buffer.buffer(placedBytes(max));
  }

  /**
   * Reads a DDP-eligible item.
   *
   * @param max its bound
   * @return the memory it was placed in, or a copy if it came inline
   */
  public Payload placedPayload(int max) {
    return items().payload(reader.dataItem(max));
  }

  /**
   * Reads a DDP-eligible item that belongs in the caller's memory.
   *
   * @param max its bound
   * @param target the caller's memory
   * @return the part of it that was filled, owned by the caller
   */
  public Payload placedInto(int max, Payload target) {
    int room = Math.min(max, target.length());
    try {
      return items().into(reader.dataItem(room), target);
    } catch (XdrException e) {
      if (room == max) {
        throw e;
      }
      throw new RpcDecodingException("The result does not fit into its target (@Into), which has room for " + room
          + " bytes: give a longer one (" + e.getMessage() + ")", e);
    }
  }

  /**
   * Reads JSON text.
   *
   * @param max its bound in bytes
   * @return the object
   */
  public JsonObject jsonObject(int max) {
    return new JsonObject(reader.string(max));
  }

  /**
   * Reads JSON text.
   *
   * @param max its bound in bytes
   * @return the array
   */
  public JsonArray jsonArray(int max) {
    return new JsonArray(reader.string(max));
  }

  /**
   * Reads a variable-length array.
   *
   * @param max the bound of its count
   * @param leastSize the least size of an element, at least 4
   * @param element reads one
   * @param <T> the type of elements
   * @return the elements
   */
  public <T> List<T> list(int max, int leastSize, Supplier<T> element) {
    int count = reader.count(max, leastSize);
    List<T> list = room(count);
    for (int i = 0; i < count; i++) {
      list.add(element.get());
    }
    return list;
  }

  /** Grows with what is read: each of a message's nested lists may claim all that is left of it. */
  static <T> List<T> room(int count) {
    return new ArrayList<>(Math.min(count, FIRST_ROOM));
  }

  /**
   * Reads optional-data (RFC 4506 §4.19).
   *
   * @param content reads what is in it
   * @param <T> its type
   * @return the optional
   */
  public <T> Optional<T> optional(Supplier<T> content) {
    return reader.bool() ? Optional.of(content.get()) : Optional.empty();
  }

  /**
   * Reads optional-data (RFC 4506 §4.19).
   *
   * @param content reads what is there
   * @param <T> its type
   * @return null if nothing is there
   */
  public <T> T nullable(Supplier<T> content) {
    return reader.bool() ? content.get() : null;
  }

  /**
   * Reads a struct that can hold others of its kind.
   *
   * @param struct reads it
   * @param <T> its type
   * @return the struct
   */
  public <T> T nested(Supplier<T> struct) {
    if (depth == null) {
      depth = new Depth();
    }
    if (!depth.enter()) {
      throw new XdrException(Depth.EXCEEDED);
    }
    T value = struct.get();
    depth.leave();
    return value;
  }

  /**
   * Refuses a number that no constant of an enum and no arm of a union has.
   *
   * @param number the number
   * @param type the enum or union
   * @return what to throw
   */
  public XdrException unknown(int number, String type) {
    return new XdrException(number + " is no value of " + type);
  }

  /**
   * Checks a bound that the caller sent along for the result.
   *
   * @param bound what it asked for
   * @return the bound
   */
  public int bound(long bound) {
    if (bound < 0 || bound > Integer.MAX_VALUE) {
      throw new XdrException("A result cannot have " + bound + " bytes");
    }
    return (int) bound;
  }

  /** Checks that all was read. */
  public void end() {
    reader.end();
  }

  /** Reads the count of elements that each take {@code leastSize} bytes at least. */
  int count(int max, int leastSize) {
    return reader.count(max, leastSize);
  }

  /** Reads an int from {@code min} to {@code max}. */
  int ranged(int min, int max, String kind) {
    int value = reader.int32();
    if (value < min || value > max) {
      throw new XdrException(value + " is not " + kind);
    }
    return value;
  }
}
