// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.options;

import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/** The values of one object's options. One thread at a time, or any as long as nobody sets one. */
public final class OptionValues {

  private final OptionSet set;
  private final Option<?>[] options;
  private final Object[] values;

  /**
   * The defaults.
   *
   * @param set which options there are
   */
  public OptionValues(OptionSet set) {
    this.set = set;
    this.options = set.array();
    this.values = new Object[options.length];
    set.all().forEach(option -> values[option.index()] = option.byDefault());
  }

  /**
   * A copy.
   *
   * @param other what to copy
   */
  public OptionValues(OptionValues other) {
    this.set = other.set;
    this.options = other.options;
    this.values = new Object[other.values.length];
    set.all().forEach(option -> values[option.index()] = other.get(option));
  }

  /**
   * An option's value.
   *
   * @param option one of the set
   * @param <T> what it is
   * @return a copy, if it can be changed
   */
  public <T> T get(Option<T> option) {
    return option.type().copy(raw(option));
  }

  @SuppressWarnings("unchecked") // set() takes no other.
  private <T> T raw(Option<T> option) {
    int index = option.index();
    if (index >= options.length || options[index] != option) {
      throw new IllegalStateException(option + " is no option of " + set.className());
    }
    return (T) values[index];
  }

  /**
   * Sets an option.
   *
   * @param option one of the set
   * @param value copied, if it can be changed
   * @param <T> what it is
   * @throws IllegalArgumentException if the option does not take it, with what it takes
   * @throws NullPointerException with the option's name
   */
  public <T> void set(Option<T> option, T value) {
    Objects.requireNonNull(value, option.name());
    raw(option);
    option.type().check(set.label(option), value, option.isSecret());
    values[option.index()] = option.type().copy(value);
  }

  /**
   * Sets an option that need not be there.
   *
   * @param option one of the set
   * @param value copied, if it can be changed
   * @param <T> what it is
   * @throws IllegalArgumentException if the option does not take it, with what it takes
   * @throws NullPointerException with the option's name
   */
  public <T> void setSome(Option<Optional<T>> option, T value) {
    set(option, Optional.of(Objects.requireNonNull(value, option.name())));
  }

  /**
   * Reads options from JSON. Options that are missing there stay as they are.
   *
   * @param json by name, groups in objects of their own
   * @return this
   * @throws IllegalArgumentException for a key that there is not, or a value that its option does not take
   */
  public OptionValues read(JsonObject json) {
    for (Map.Entry<String, Object> entry : json) {
      if (!set.hasGroup(entry.getKey())) {
        read("", entry);
        continue;
      }
      for (Map.Entry<String, Object> inner : JsonChecks.typed(entry.getKey(), entry.getValue(), JsonObject.class,
          "an object")) {
        read(entry.getKey(), inner);
      }
    }
    return this;
  }

  private void read(String group, Map.Entry<String, Object> entry) {
    read(set.at(group, entry.getKey()).orElseThrow(() -> set.unknown(group, entry.getKey())), entry.getValue());
  }

  private <T> void read(Option<T> option, Object json) {
    set(option, option.type().read(set.label(option), json));
  }

  /**
   * All options as JSON.
   *
   * @return what {@link #read} reads
   */
  public JsonObject toJson() {
    return toJson(option -> true);
  }

  private JsonObject toJson(Predicate<Option<?>> which) {
    JsonObject json = new JsonObject();
    set.all().stream().filter(which).forEach(option -> put(json, option, write(option)));
    return json;
  }

  private <T> Object write(Option<T> option) {
    return option.type().write(raw(option));
  }

  private static void put(JsonObject json, Option<?> option, Object value) {
    if (value == null) {
      return;
    }
    JsonObject at = json;
    if (!option.group().isEmpty()) {
      at = json.getJsonObject(option.group(), new JsonObject());
      json.put(option.group(), at);
    }
    at.put(option.name(), value);
  }

  private <T> boolean isDefault(Option<T> option) {
    return option.type().same(raw(option), option.byDefault());
  }

  /** Whether all values are the same. */
  @Override
  public boolean equals(Object other) {
    return other instanceof OptionValues values && values.set == set
        && set.all().stream().allMatch(option -> isSame(option, values));
  }

  private <T> boolean isSame(Option<T> option, OptionValues other) {
    return option.type().same(raw(option), other.raw(option));
  }

  @Override
  public int hashCode() {
    int hash = set.className().hashCode();
    for (Option<?> option : set.all()) {
      hash = 31 * hash + hash(option);
    }
    return hash;
  }

  private <T> int hash(Option<T> option) {
    return option.type().hash(raw(option));
  }

  /** The class, and what is not the default; secrets are said to be set, no more. */
  @Override
  public String toString() {
    JsonObject json = new JsonObject();
    set.all().stream().filter(option -> !isDefault(option))
        .forEach(option -> put(json, option, option.isSecret() ? "set" : write(option)));
    return set.className() + json.encode();
  }
}
