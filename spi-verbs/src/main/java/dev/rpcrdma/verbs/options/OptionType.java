// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.options;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * What the values of an option are: which are allowed, and how they are read from JSON and written.
 *
 * @param <T> their type; without null
 */
public final class OptionType<T> {

  private final String allowed;
  private final String unit;
  private final Predicate<T> allows;
  private final BiFunction<String, Object, T> reads;
  private final Function<T, Object> writes;
  /** Null for values that cannot be changed. */
  private final UnaryOperator<T> copies;
  /** Null where their class tells which are the same. */
  private final BiPredicate<T, T> same;

  private OptionType(String allowed, String unit, Predicate<T> allows, BiFunction<String, Object, T> reads,
      Function<T, Object> writes, UnaryOperator<T> copies, BiPredicate<T, T> same) {
    this.allowed = allowed;
    this.unit = unit;
    this.allows = allows;
    this.reads = reads;
    this.writes = writes;
    this.copies = copies;
    this.same = same;
  }

  /**
   * Values with a JSON form of their own.
   *
   * @param allowed what they are, in words
   * @param reads makes one of JSON, with the option's name for messages; throws {@link IllegalArgumentException} if it
   *     is none
   * @param writes makes JSON of one
   * @param <T> their type
   * @return all of them are allowed
   */
  public static <T> OptionType<T> of(String allowed, BiFunction<String, Object, T> reads, Function<T, Object> writes) {
    return new OptionType<>(allowed, "", value -> true, reads, writes, null, null);
  }

  /**
   * Values that have no form in JSON.
   *
   * @param allowed what they are, in words
   * @param <T> their type
   * @return all of them are allowed
   */
  public static <T> OptionType<T> inMemory(String allowed) {
    return of(allowed, (name, json) -> {
      throw new IllegalArgumentException(name + " has no form in JSON");
    }, String::valueOf);
  }

  /**
   * Values that can be changed, and so are copied on their way in and out.
   *
   * @param copy makes a copy
   * @return such a type
   */
  public OptionType<T> copied(UnaryOperator<T> copy) {
    return new OptionType<>(allowed, unit, allows, reads, writes, copy, same);
  }

  /**
   * Values whose class cannot tell which are the same.
   *
   * @param comparison tells so
   * @return such a type
   */
  public OptionType<T> compared(BiPredicate<T, T> comparison) {
    return new OptionType<>(allowed, unit, allows, reads, writes, copies, comparison);
  }

  /**
   * Some of these values.
   *
   * @param which in words
   * @param test tells which
   * @return the narrower type
   */
  public OptionType<T> only(String which, Predicate<T> test) {
    return new OptionType<>(which, unit, test, reads, writes, copies, same);
  }

  /**
   * Values that count something.
   *
   * @param counted in the plural, for the manual
   * @return such a type
   */
  public OptionType<T> unit(String counted) {
    return new OptionType<>(allowed, counted, allows, reads, writes, copies, same);
  }

  /**
   * Whole numbers.
   *
   * @param least the least
   * @param most the greatest
   * @return the type
   */
  public static OptionType<Integer> int32(int least, int most) {
    return OptionType.<Integer>of("", (name, json) -> {
      long whole = JsonChecks.whole(name, json, "a whole number");
      if (whole != (int) whole) {
        throw JsonChecks.wrong(name, "a whole number of 32 bits", json);
      }
      return (int) whole;
    }, value -> value).only(range(least, most, Integer.MAX_VALUE), value -> value >= least && value <= most);
  }

  /**
   * Whole numbers that may be large.
   *
   * @param least the least
   * @param most the greatest
   * @return the type
   */
  public static OptionType<Long> int64(long least, long most) {
    return OptionType.<Long>of("", (name, json) -> JsonChecks.whole(name, json, "a whole number"), value -> value)
        .only(range(least, most, Long.MAX_VALUE), value -> value >= least && value <= most);
  }

  /**
   * Whole numbers of any size.
   *
   * @return the type
   */
  public static OptionType<Long> int64() {
    return int64(Long.MIN_VALUE, Long.MAX_VALUE).only("any whole number", value -> true);
  }

  private static String range(long least, long most, long unbounded) {
    return least + (most == unbounded ? " or more" : " to " + most);
  }

  /**
   * Numbers with fractions.
   *
   * @param least the least
   * @param most the greatest
   * @return the type
   */
  public static OptionType<Double> real(int least, int most) {
    // What is not a number is not between them either.
    return OptionType.<Double>of("", (name, json) -> JsonChecks.typed(name, json, Number.class, "a number")
        .doubleValue(), value -> value).only(least + " to " + most, value -> value >= least && value <= most);
  }

  /**
   * Yes or no.
   *
   * @return the type
   */
  public static OptionType<Boolean> flag() {
    return of("true or false", (name, json) -> JsonChecks.typed(name, json, Boolean.class, "true or false"),
        value -> value);
  }

  /**
   * Texts.
   *
   * @return the type
   */
  public static OptionType<String> text() {
    return of("a text", (name, json) -> JsonChecks.typed(name, json, String.class, "a text"), value -> value);
  }

  /**
   * Texts with something in them.
   *
   * @return the type
   */
  public static OptionType<String> filledText() {
    return text().only("a text that is not empty", value -> !value.isEmpty());
  }

  /**
   * Objects whose keys are somebody else's.
   *
   * @return the type
   */
  public static OptionType<JsonObject> object() {
    return of("an object", (name, json) -> JsonChecks.typed(name, json, JsonObject.class, "an object"),
        value -> (Object) value.copy()).copied(JsonObject::copy);
  }

  /**
   * The constants of an enum, by their names.
   *
   * @param type the enum
   * @param <E> the enum
   * @return the type
   */
  public static <E extends Enum<E>> OptionType<E> constant(Class<E> type) {
    String all = "one of "
        + Arrays.stream(type.getEnumConstants()).map(Enum::name).collect(Collectors.joining(", "));
    return of(all, (name, json) -> Arrays.stream(type.getEnumConstants())
        .filter(constant -> constant.name().equals(json)).findFirst()
        .orElseThrow(() -> JsonChecks.wrong(name, all, json)), Enum::name);
  }

  /**
   * Durations: in JSON whole numbers of milliseconds, or ISO 8601 texts, which can say more.
   *
   * @param least the shortest
   * @param most the longest
   * @return the type
   */
  public static OptionType<Duration> duration(Duration least, Duration most) {
    return OptionType.of("", JsonChecks::duration, JsonChecks::write).only(words(least) + " to " + words(most),
        value -> value.compareTo(least) >= 0 && value.compareTo(most) <= 0);
  }

  private static String words(Duration value) {
    if (value.isZero()) {
      return "0";
    }
    if (value.toDays() > 0) {
      return value.toDays() + (value.toDays() == 1 ? " day" : " days");
    }
    if (value.toHours() > 0) {
      return value.toHours() + " h";
    }
    return value.toMillis() % 1000 == 0 ? value.toSeconds() + " s" : value.toMillis() + " ms";
  }

  /**
   * Values of which there may be none; then JSON has no key.
   *
   * @param some those that there may be
   * @param <T> their type
   * @return the type
   */
  public static <T> OptionType<Optional<T>> optional(OptionType<T> some) {
    return new OptionType<>(some.allowed, some.unit, value -> value.isEmpty() || some.allows.test(value.get()),
        (name, json) -> Optional.of(some.read(name, json)), value -> value.map(some.writes).orElse(null),
        some.copies == null ? null : value -> value.map(some.copies), (one, other) -> one.isEmpty()
        ? other.isEmpty() : other.isPresent() && some.same(one.get(), other.get()));
  }

  /** Tells which values are allowed, with what they count. */
  String words() {
    String open = " or more";
    if (allowed.endsWith(open) && !unit.isEmpty()) {
      return allowed.substring(0, allowed.length() - open.length()) + " " + unit + open;
    }
    return unit.isEmpty() ? allowed : allowed + " " + unit;
  }

  T read(String name, Object json) {
    return reads.apply(name, json);
  }

  Object write(T value) {
    return writes.apply(value);
  }

  T copy(T value) {
    return copies == null ? value : copies.apply(value);
  }

  boolean same(T one, T other) {
    return same == null ? one.equals(other) : same.test(one, other);
  }

  int hash(T value) {
    return same == null ? value.hashCode() : 0;
  }

  /**
   * Checks a value.
   *
   * @param secret whether it must not be in a message
   */
  void check(String name, T value, boolean secret) {
    if (!allows.test(value)) {
      if (secret) {
        throw new IllegalArgumentException(name + " is " + allowed + ", not what is there");
      }
      throw JsonChecks.wrong(name, allowed, value instanceof Optional<?> some ? some.orElseThrow() : value);
    }
  }
}
