// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import java.util.Objects;

/**
 * A device that a provider could open.
 *
 * @param name as {@link VerbsDevice#name()}
 * @param text its kind and state, as a few words for people
 * @param attributes what it can do
 */
public record DeviceDescription(String name, String text, DeviceAttributes attributes) {

  /** Checks that no component is null. */
  public DeviceDescription {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(attributes, "attributes");
  }
}
