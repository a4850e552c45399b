// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.api.impl.verticle.ConfigValues;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One option in its JSON form.
 *
 * @param name its key
 * @param get what the options have, in JSON; null for nothing
 * @param set checks the JSON and gives it to the options
 * @param <O> the options
 */
record JsonOption<O>(String name, Function<O, Object> get, BiConsumer<O, Object> set) {

  void read(O options, Object value) {
    set.accept(options, value);
  }

  void write(O options, JsonObject json) {
    Object value = get.apply(options);
    if (value != null) {
      json.put(name, value);
    }
  }

  void copy(O from, O to) {
    Object value = get.apply(from);
    if (value != null) {
      read(to, value);
    }
  }

  static <O> JsonOption<O> text(String name, Function<O, String> get, BiConsumer<O, String> set) {
    return new JsonOption<>(name, get::apply,
        (options, value) -> set.accept(options, ConfigValues.typed(name, value, String.class, "a text")));
  }

  static <O> JsonOption<O> bool(String name, Function<O, Boolean> get, BiConsumer<O, Boolean> set) {
    return new JsonOption<>(name, get::apply,
        (options, value) -> set.accept(options, ConfigValues.typed(name, value, Boolean.class, "true or false")));
  }

  static <O> JsonOption<O> object(String name, Function<O, JsonObject> get, BiConsumer<O, JsonObject> set) {
    return new JsonOption<>(name, get::apply,
        (options, value) -> set.accept(options, ConfigValues.typed(name, value, JsonObject.class, "an object")));
  }

  static <O> JsonOption<O> int32(String name, Function<O, Integer> get, BiConsumer<O, Integer> set) {
    return new JsonOption<>(name, get::apply, (options, value) -> {
      long whole = whole(name, value);
      if (whole != (int) whole) {
        throw ConfigValues.wrong(name, "a whole number of 32 bits", value);
      }
      set.accept(options, (int) whole);
    });
  }

  static <O> JsonOption<O> int64(String name, Function<O, Long> get, BiConsumer<O, Long> set) {
    return new JsonOption<>(name, get::apply, (options, value) -> set.accept(options, whole(name, value)));
  }

  static <O, E extends Enum<E>> JsonOption<O> constant(String name, Class<E> type, Function<O, E> get,
      BiConsumer<O, E> set) {
    String allowed = Arrays.stream(type.getEnumConstants()).map(Enum::name).collect(Collectors.joining(", "));
    return new JsonOption<>(name, options -> get.apply(options).name(), (options, value) -> {
      for (E constant : type.getEnumConstants()) {
        if (constant.name().equals(value)) {
          set.accept(options, constant);
          return;
        }
      }
      throw ConfigValues.wrong(name, "one of " + allowed, value);
    });
  }

  /** A whole number of milliseconds, or an ISO 8601 duration, which can say more. */
  static <O> JsonOption<O> duration(String name, Function<O, Duration> get, BiConsumer<O, Duration> set) {
    return new JsonOption<>(name, options -> write(get.apply(options)),
        (options, value) -> set.accept(options, ConfigValues.duration(name, value)));
  }

  private static Object write(Duration value) {
    return value.equals(Duration.ofMillis(value.toMillis())) ? (Object) value.toMillis() : value.toString();
  }

  private static long whole(String name, Object value) {
    return ConfigValues.whole(name, value, "a whole number");
  }
}
