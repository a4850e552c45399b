// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.options;

import io.vertx.core.json.Json;

/**
 * One option, as it is declared.
 *
 * @param <T> what its values are
 */
public final class Option<T> {

  private final int index;
  private final String path;
  private final OptionType<T> type;
  private final T byDefault;
  private final String sentence;
  private boolean secret;
  /** Null where JSON says it. */
  private String defaultWords;

  Option(int index, String path, OptionType<T> type, T byDefault, String sentence) {
    this.index = index;
    this.path = path;
    this.type = type;
    this.byDefault = byDefault;
    this.sentence = sentence;
  }

  /**
   * Keeps its values out of texts and messages: that it is set is said, no more.
   *
   * @return this
   */
  public Option<T> secret() {
    secret = true;
    return this;
  }

  /**
   * Has the manual say its default in words, since it is not the same everywhere, or is no value.
   *
   * @param words instead of JSON
   * @return this
   */
  public Option<T> defaultWords(String words) {
    defaultWords = words;
    return this;
  }

  int index() {
    return index;
  }

  /**
   * Its place in JSON.
   *
   * @return its name, behind the name of its group and a dot if it is in one
   */
  public String path() {
    return path;
  }

  /**
   * The object that it is in.
   *
   * @return empty for the outermost
   */
  public String group() {
    return path.substring(0, Math.max(0, path.indexOf('.')));
  }

  /**
   * Its key.
   *
   * @return the path without the group
   */
  public String name() {
    return path.substring(path.indexOf('.') + 1);
  }

  OptionType<T> type() {
    return type;
  }

  boolean isSecret() {
    return secret;
  }

  /**
   * Its value where nobody sets it.
   *
   * @return a copy
   */
  public T byDefault() {
    return type.copy(byDefault);
  }

  /**
   * Its default, for the manual.
   *
   * @return JSON between backticks, or words
   */
  public String defaultText() {
    if (defaultWords != null) {
      return defaultWords;
    }
    Object json = type.write(byDefault);
    return json == null ? "none" : "`" + Json.encode(json) + "`";
  }

  /**
   * The values that it takes.
   *
   * @return in words, with their unit
   */
  public String values() {
    return type.words();
  }

  /**
   * What it means.
   *
   * @return a sentence for the manual, in Markdown, without a full stop
   */
  public String sentence() {
    return sentence;
  }

  @Override
  public String toString() {
    return path;
  }
}
