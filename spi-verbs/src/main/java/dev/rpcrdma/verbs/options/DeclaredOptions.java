// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.options;

/**
 * What has declared options. Two are equal if they are of one class and all their options are the same; the text of one
 * has what is not the default, without secrets.
 */
public abstract class DeclaredOptions {

  /** The options' values. */
  protected final OptionValues values;

  /**
   * Takes the values over.
   *
   * @param values nobody else's
   */
  protected DeclaredOptions(OptionValues values) {
    this.values = values;
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof DeclaredOptions options && options.values.equals(values);
  }

  @Override
  public final int hashCode() {
    return values.hashCode();
  }

  @Override
  public final String toString() {
    return values.toString();
  }
}
