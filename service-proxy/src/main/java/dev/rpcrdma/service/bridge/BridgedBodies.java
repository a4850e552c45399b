// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import dev.rpcrdma.service.impl.WholeText;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Bodies of messages as bytes and back, in the forms that the event bus has for them, and by codecs of the application.
 * Long ones are left to a worker.
 */
final class BridgedBodies {

  /** What a body is, and its bytes. */
  record Encoded(String codec, Buffer bytes) {}

  /** A body, and the codec that the event bus needs for it; null if it knows one itself. */
  record Decoded(Object body, String codecName) {}

  private record Form<T>(String name, Class<T> type, Function<T, Buffer> encode, Function<Buffer, T> decode) {}

  private static final String NULL = "null";
  /** An event loop takes some hundred microseconds for it. */
  private static final int LONG_BYTES = 64 * 1024;

  private static final Map<String, Form<?>> BY_NAME = new HashMap<>();
  private static final Map<Class<?>, Form<?>> BY_TYPE = new HashMap<>();

  static {
    add("buffer", Buffer.class, buffer -> buffer, buffer -> buffer);
    add("bytearray", byte[].class, Buffer::buffer, Buffer::getBytes);
    add("string", String.class, BridgedBodies::text, bytes -> bytes.toString(StandardCharsets.UTF_8));
    add("jsonobject", JsonObject.class, JsonObject::toBuffer, JsonObject::new);
    add("jsonarray", JsonArray.class, JsonArray::toBuffer, JsonArray::new);
    add("boolean", Boolean.class, value -> Buffer.buffer().appendByte((byte) (value ? 1 : 0)),
        bytes -> bytes.getByte(0) != 0);
    add("byte", Byte.class, value -> Buffer.buffer().appendByte(value), bytes -> bytes.getByte(0));
    add("char", Character.class, value -> Buffer.buffer().appendShort((short) value.charValue()),
        bytes -> (char) bytes.getShort(0));
    add("short", Short.class, value -> Buffer.buffer().appendShort(value), bytes -> bytes.getShort(0));
    add("int", Integer.class, value -> Buffer.buffer().appendInt(value), bytes -> bytes.getInt(0));
    add("long", Long.class, value -> Buffer.buffer().appendLong(value), bytes -> bytes.getLong(0));
    add("float", Float.class, value -> Buffer.buffer().appendFloat(value), bytes -> bytes.getFloat(0));
    add("double", Double.class, value -> Buffer.buffer().appendDouble(value), bytes -> bytes.getDouble(0));
  }

  private final Map<Class<?>, MessageCodec<Object, ?>> codecsByType = new ConcurrentHashMap<>();
  private final Map<String, MessageCodec<Object, ?>> codecsByName = new ConcurrentHashMap<>();

  private static Buffer text(String body) {
    if (!WholeText.isWhole(body)) {
      throw new IllegalArgumentException("The text has half of a surrogate pair");
    }
    return Buffer.buffer(body);
  }

  private static <T> void add(String name, Class<T> type, Function<T, Buffer> encode, Function<Buffer, T> decode) {
    Form<T> form = new Form<>(name, type, encode, decode);
    BY_NAME.put(name, form);
    BY_TYPE.put(type, form);
  }

  /** Adds a codec of the application. */
  @SuppressWarnings("unchecked") // looked up by the very class
  <T> void register(Class<T> type, MessageCodec<T, ?> codec) {
    if (BY_NAME.containsKey(codec.name()) || codec.name().equals(NULL)) {
      throw new IllegalArgumentException(codec.name() + " is the name of a codec of the event bus's own");
    }
    if (!Content.fits(codec.name(), Content.LONGEST_CODEC)) {
      throw new IllegalArgumentException("The name of a codec that crosses a bridge has up to " + Content.LONGEST_CODEC
          + " bytes in UTF-8, and no half of a surrogate pair: " + codec.name());
    }
    codecsByType.put(type, (MessageCodec<Object, ?>) codec);
    codecsByName.put(codec.name(), (MessageCodec<Object, ?>) codec);
  }

  /**
   * Encodes the body of a message. A message of a cluster decodes its body when it is asked for it.
   *
   * @param context where it goes on
   * @return fails with an IllegalArgumentException if there is no codec for it, or with what a codec throws
   */
  Future<Encoded> encode(Context context, Message<?> message) {
    try {
      Object body = message.body();
      return run(context, isLong(body), () -> encode(body));
    } catch (Throwable e) {
      return Future.failedFuture(e);
    }
  }

  /**
   * Decodes a body.
   *
   * @param context where it goes on
   * @return fails with an IllegalArgumentException if there is no codec of that name, or it refuses the bytes
   */
  Future<Decoded> decode(Context context, Content content) {
    boolean work = content.body().length() > LONG_BYTES && !content.codec().equals("buffer")
        && !content.codec().equals("bytearray");
    return run(context, work, () -> decode(content));
  }

  private static <T> Future<T> run(Context context, boolean work, Callable<T> step) {
    try {
      return work ? context.executeBlocking(step, false) : Future.succeededFuture(step.call());
    } catch (Throwable e) {
      return Future.failedFuture(e);
    }
  }

  private static boolean isLong(Object body) {
    return body instanceof String text ? text.length() > LONG_BYTES
        : (body instanceof JsonObject || body instanceof JsonArray) && JsonWeight.exceeds(body, LONG_BYTES);
  }

  @SuppressWarnings("unchecked") // the form is that of the class
  private Encoded encode(Object body) {
    if (body == null) {
      return new Encoded(NULL, Buffer.buffer());
    }
    MessageCodec<Object, ?> codec = codecsByType.get(body.getClass());
    if (codec != null) {
      Buffer bytes = Buffer.buffer();
      codec.encodeToWire(bytes, body);
      return new Encoded(codec.name(), bytes);
    }
    Form<Object> form = (Form<Object>) (body instanceof Buffer ? BY_TYPE.get(Buffer.class)
        : BY_TYPE.get(body.getClass()));
    if (form == null) {
      throw new IllegalArgumentException("The bridge has no codec for " + body.getClass().getName()
          + ": give it one by EventBusBridge.addCodec, at both ends");
    }
    return new Encoded(form.name, form.encode.apply(body));
  }

  private Decoded decode(Content content) {
    if (content.codec().equals(NULL)) {
      return new Decoded(null, null);
    }
    MessageCodec<Object, ?> codec = codecsByName.get(content.codec());
    Form<?> form = BY_NAME.get(content.codec());
    if (codec == null && form == null) {
      throw new IllegalArgumentException("The bridge has no codec " + content.codec()
          + ": give it one by EventBusBridge.addCodec, at both ends");
    }
    try {
      return codec == null ? new Decoded(form.decode.apply(content.body()), null)
          : new Decoded(codec.decodeFromWire(0, content.body()), codec.name());
    } catch (Throwable e) {
      throw new IllegalArgumentException("A body is none of codec " + content.codec(), e);
    }
  }
}
