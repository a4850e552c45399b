// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.options;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The options of a class, in the order of their declaration. They are declared before the first values are made. */
public final class OptionSet {

  private final String className;
  private final String kind;
  private final List<Option<?>> options = new ArrayList<>();
  private boolean complete;
  /** All of them, once there will be no more. */
  private volatile Option<?>[] array;

  /**
   * Begins without options.
   *
   * @param className of the class that has them, for texts
   * @param kind what one of them is called in messages, such as {@code siw setting}; {@code option} goes without saying
   */
  public OptionSet(String className, String kind) {
    this.className = className;
    this.kind = kind;
  }

  /**
   * Begins a set with the options of this one, which gets no more.
   *
   * @param subclassName of the class that has them
   * @return a set whose values are those of this one's options, too
   */
  public OptionSet extended(String subclassName) {
    complete = true;
    OptionSet all = new OptionSet(subclassName, kind);
    all.options.addAll(options);
    return all;
  }

  /**
   * Declares an option.
   *
   * @param path its key in JSON; behind the key of a group and a dot if it is in one
   * @param type what its values are
   * @param byDefault its value where nobody sets it
   * @param sentence what it means, for the manual
   * @param <T> what its values are
   * @return the option
   * @throws IllegalStateException if there is one of that path, or the set is in use
   */
  public <T> Option<T> add(String path, OptionType<T> type, T byDefault, String sentence) {
    if (complete || options.stream().anyMatch(other -> other.path().equals(path))) {
      throw new IllegalStateException(className + " cannot have another option " + path);
    }
    Option<T> added = new Option<>(options.size(), path, type, byDefault, sentence);
    options.add(added);
    return added;
  }

  /**
   * All options.
   *
   * @return in the order of their declaration, inherited ones first
   */
  public List<Option<?>> all() {
    complete = true;
    return options;
  }

  /**
   * The class that has these options.
   *
   * @return its simple name
   */
  public String className() {
    return className;
  }

  /** Names an option in messages. */
  String label(Option<?> option) {
    return kind.equals("option") ? option.name() : kind + " " + option.name();
  }

  /** All options at their indexes, for those who look them up often; nobody changes it. */
  Option<?>[] array() {
    if (array == null) {
      array = all().toArray(Option<?>[]::new);
    }
    return array;
  }

  Optional<Option<?>> at(String group, String name) {
    return options.stream().filter(option -> option.name().equals(name) && option.group().equals(group)).findFirst();
  }

  boolean hasGroup(String name) {
    return !name.isEmpty() && options.stream().anyMatch(option -> option.group().equals(name));
  }

  /** What is wrong with a key that no option has at this place, with where it is, or what it may have meant. */
  IllegalArgumentException unknown(String group, String name) {
    String path = group.isEmpty() ? name : group + "." + name;
    Optional<Option<?>> elsewhere = options.stream()
        .filter(option -> option.name().equals(name) || option.path().equals(name)).findFirst();
    if (elsewhere.isPresent()) {
      Option<?> option = elsewhere.get();
      return new IllegalArgumentException("The " + kind + " " + option.name() + " is "
          + (option.group().isEmpty() ? "no key of " + group : "a key of the object " + option.group())
          + (group.isEmpty() || option.group().isEmpty() ? "" : ", " + place(option, group)));
    }
    List<String> paths = options.stream().map(Option::path).sorted().toList();
    return new IllegalArgumentException("No such " + kind + ": " + path + guess(name) + "; there are "
        + String.join(", ", paths));
  }

  /** Says where the key is. A key may be written as a path, in the right object, too. */
  private static String place(Option<?> option, String group) {
    return option.group().equals(group) ? "by the name " + option.name() : "not of " + group;
  }

  private String guess(String name) {
    Map<String, String> paths = new LinkedHashMap<>();
    options.forEach(option -> paths.put(option.group(), option.group()));
    options.forEach(option -> paths.put(option.name(), option.path()));
    options.forEach(option -> paths.put(option.path(), option.path()));
    paths.remove("");
    return Spelling.nearest(name, paths.keySet()).map(key -> " (did you mean " + paths.get(key) + "?)").orElse("");
  }
}
