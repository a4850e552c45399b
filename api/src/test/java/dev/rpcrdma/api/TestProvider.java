// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.verbs.ProviderStatus;
import dev.rpcrdma.verbs.VerbsProvider;

/** A provider around one that users have, which is found by its own name and never preferred. */
abstract class TestProvider implements VerbsProvider {

  private final String name;
  private final String description;

  /**
   * Names it.
   *
   * @param name by which tests choose it
   * @param description of what it does to the one inside
   */
  TestProvider(String name, String description) {
    this.name = name;
    this.description = description;
  }

  @Override
  public final String name() {
    return name;
  }

  /** Below those that users have; which comes first of several such ones its name tells. */
  @Override
  public final int priority() {
    return -1;
  }

  @Override
  public ProviderStatus probe() {
    return ProviderStatus.usable(description);
  }
}
