// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import java.util.Objects;

/**
 * Whether a provider can be used on this machine, and if not, why and what to do about it.
 *
 * @param usable true if {@link VerbsProvider#open} is expected to work
 * @param reason one sentence for people; for an unusable provider the cause
 * @param remedy what the user can do, empty if {@code usable}
 */
public record ProviderStatus(boolean usable, String reason, String remedy) {

  /** Checks that no component is null. */
  public ProviderStatus {
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(remedy, "remedy");
  }

  /**
   * A provider that can be used.
   *
   * @param description what was found, for example the device's name
   * @return the status
   */
  public static ProviderStatus usable(String description) {
    return new ProviderStatus(true, description, "");
  }

  /**
   * A provider that cannot be used.
   *
   * @param reason the cause, as one sentence
   * @param remedy what the user can do about it, as one sentence
   * @return the status
   */
  public static ProviderStatus unusable(String reason, String remedy) {
    return new ProviderStatus(false, reason, remedy);
  }
}
