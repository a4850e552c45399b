// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Writes Java values as XDR. Where a value may be null or too long, {@code what} names it in the
 * exception. Not thread-safe.
 */
public final class ValueWriter {

  private final XdrWriter writer;
  /** Payload that was written last as a data item; null if there is none. */
  private Payload placed;
  /** Null until a struct is nested. */
  private Depth depth;
  /** Whether what is written is in an order with others of its kind. */
  boolean ordering;

  ValueWriter(XdrWriter writer) {
    this.writer = writer;
  }

  /**
   * Refuses null.
   *
   * @param value what to check
   * @param what its name
   * @param <T> its type
   * @return the value
   * @throws NullPointerException if it is null
   */
  public <T> T present(T value, String what) {
    return Values.present(value, what);
  }

  /**
   * Writes a bool.
   *
   * @param value the value
   */
  public void bool(boolean value) {
    writer.bool(value);
  }

  /**
   * Writes an int; also for {@code byte}, {@code short} and {@code char}.
   *
   * @param value the value
   */
  public void int32(int value) {
    writer.int32(value);
  }

  /**
   * Writes a hyper.
   *
   * @param value the value
   */
  public void int64(long value) {
    writer.int64(value);
  }

  /**
   * Writes a float.
   *
   * @param value the value
   */
  public void float32(float value) {
    writer.float32(value);
  }

  /**
   * Writes a double.
   *
   * @param value the value
   */
  public void float64(double value) {
    writer.float64(value);
  }

  /**
   * Writes an enum constant as its ordinal.
   *
   * @param value the constant
   * @param what its name
   */
  public void enumeration(Enum<?> value, String what) {
    writer.int32(Values.present(value, what).ordinal());
  }

  /**
   * Writes text as UTF-8.
   *
   * @param value the text
   * @param max its bound in bytes
   * @param what its name
   */
  public void string(String value, int max, String what) {
    ByteBuffer bytes;
    try {
      bytes = StandardCharsets.UTF_8.newEncoder()
          .encode(CharBuffer.wrap(Values.present(value, what)));
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(what + " has half of a surrogate pair", e);
    }
    Values.fits(bytes.remaining(), max, what);
    writer.opaque(bytes);
  }

  /**
   * Writes bytes.
   *
   * @param value the bytes
   * @param max their bound
   * @param what their name
   */
  public void bytes(byte[] value, int max, String what) {
    Values.fits(Values.present(value, what).length, max, what);
    writer.opaque(value);
  }

  /**
   * Writes bytes.
   *
   * @param value the bytes
   * @param max their bound
   * @param what their name
   */
  public void buffer(Buffer value, int max, String what) {
    Values.fits(Values.present(value, what).length(), max, what);
    writer.opaque(value.length(), value::getBytes);
  }

  /**
   * Writes bytes.
   *
   * @param value the bytes
   * @param max their bound
   * @param what their name
   */
  public void payload(Payload value, int max, String what) {
    Values.fits(Values.present(value, what).length(), max, what);
    writer.opaque(value.bytes());
  }

  /**
   * Writes a DDP-eligible item: a copy of the bytes, so that they may change during the call.
   *
   * @param value the bytes
   * @param max their bound
   * @param what their name
   */
  public void placedBytes(byte[] value, int max, String what) {
    Values.fits(Values.present(value, what).length, max, what);
    writer.dataItem(DataItem.of(value.clone()));
  }

  /**
   * Writes a DDP-eligible item: a copy of the bytes, so that they may change during the call.
   *
   * @param value the bytes
   * @param max their bound
   * @param what their name
   */
  public void placedBuffer(Buffer value, int max, String what) {
    Values.fits(Values.present(value, what).length(), max, what);
    writer.dataItem(DataItem.of(value.getBytes()));
  }

  /**
   * Writes a DDP-eligible item without copying it.
   *
   * @param value the bytes
   * @param max their bound
   * @param what their name
   */
  public void placedPayload(Payload value, int max, String what) {
    Values.fits(Values.present(value, what).length(), max, what);
    writer.dataItem(value);
    placed = value;
  }

  /** Returns whether a payload was written as a data item, which its message releases. */
  boolean hasPlaced(Payload value) {
    return placed == value;
  }

  /**
   * Writes JSON as text.
   *
   * @param value the object
   * @param max the text's bound in bytes
   * @param what its name
   */
  public void jsonObject(JsonObject value, int max, String what) {
    string(Values.present(value, what).encode(), max, what);
  }

  /**
   * Writes JSON as text.
   *
   * @param value the array
   * @param max the text's bound in bytes
   * @param what its name
   */
  public void jsonArray(JsonArray value, int max, String what) {
    string(Values.present(value, what).encode(), max, what);
  }

  /**
   * Writes a variable-length array in iteration order: of what is there when this begins, so that others may change a
   * concurrent collection meanwhile.
   *
   * @param value the elements
   * @param max their bound
   * @param what the collection's name
   * @param element writes one
   * @param <T> their type
   */
  @SuppressWarnings("unchecked")
  public <T> void collection(Collection<T> value, int max, String what, Consumer<T> element) {
    for (Object each : counted(value, max, what)) {
      element.accept((T) each);
    }
  }

  private Object[] counted(Collection<?> value, int max, String what) {
    Values.fits(Values.present(value, what).size(), max, what);
    Object[] elements = value.toArray();
    Values.fits(elements.length, max, what);
    writer.int32(elements.length);
    return elements;
  }

  /**
   * Writes a map as a variable-length array of key and value, in iteration order: of what is there when this begins.
   *
   * @param value the entries
   * @param max their bound
   * @param what the map's name
   * @param key writes a key
   * @param mapped writes a value
   * @param <K> the type of keys
   * @param <V> the type of values
   */
  @SuppressWarnings("unchecked")
  public <K, V> void map(Map<K, V> value, int max, String what, Consumer<K> key, Consumer<V> mapped) {
    for (Object each : counted(Values.present(value, what).entrySet(), max, what)) {
      Map.Entry<K, V> entry = (Map.Entry<K, V>) each;
      key.accept(entry.getKey());
      mapped.accept(entry.getValue());
    }
  }

  /**
   * Writes optional-data (RFC 4506 §4.19).
   *
   * @param value the optional
   * @param what its name
   * @param content writes what is in it
   * @param <T> its type
   */
  public <T> void optional(Optional<T> value, String what, Consumer<T> content) {
    writer.bool(Values.present(value, what).isPresent());
    value.ifPresent(content);
  }

  /**
   * Writes optional-data (RFC 4506 §4.19).
   *
   * @param value what is there, or null
   * @param content writes it
   * @param <T> its type
   */
  public <T> void nullable(T value, Consumer<T> content) {
    writer.bool(value != null);
    if (value != null) {
      content.accept(value);
    }
  }

  /**
   * Writes a struct that can hold others of its kind.
   *
   * @param components writes them
   * @throws IllegalArgumentException if they are nested too deeply
   */
  public void nested(Runnable components) {
    if (depth == null) {
      depth = new Depth();
    }
    if (!depth.enter()) {
      throw new IllegalArgumentException(Depth.EXCEEDED);
    }
    components.run();
    depth.leave();
  }
}
