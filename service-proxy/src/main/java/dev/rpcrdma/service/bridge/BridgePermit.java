// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import dev.rpcrdma.api.impl.verticle.ConfigValues;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which messages may cross a bridge.
 *
 * @param address of the event bus, whole; up to 1,024 bytes in UTF-8
 * @param actions what the header {@code action} may say, as the methods of a service are called; empty if all messages
 *     of the address may cross, also those without that header
 */
public record BridgePermit(String address, Optional<Set<String>> actions) {

  static final String ACTION = "action";

  static final int LONGEST_ADDRESS = 1024;

  private static final Set<String> KEYS = Set.of("address", "actions");

  /**
   * Copies.
   *
   * @throws IllegalArgumentException if the address cannot cross
   */
  public BridgePermit {
    if (!Content.fits(Objects.requireNonNull(address, "address"), LONGEST_ADDRESS)) {
      throw new IllegalArgumentException("An address that crosses a bridge has up to " + LONGEST_ADDRESS
          + " bytes in UTF-8, and no half of a surrogate pair: " + address);
    }
    actions = actions.map(Set::copyOf);
  }

  /**
   * Permits all messages of an address.
   *
   * @param address of the event bus
   * @return the permit
   */
  public static BridgePermit address(String address) {
    return new BridgePermit(address, Optional.empty());
  }

  /**
   * Permits some methods of a service.
   *
   * @param address of the service
   * @param actions names of methods
   * @return the permit
   */
  public static BridgePermit actions(String address, String... actions) {
    return new BridgePermit(address, Optional.of(Set.copyOf(List.of(actions))));
  }

  /** Whether a message with this action, or null, may cross. */
  boolean permits(String action) {
    return actions.isEmpty() || action != null && actions.get().contains(action);
  }

  /**
   * Reads a permit.
   *
   * @param json with {@code address}, and perhaps {@code actions}
   * @return the permit
   * @throws IllegalArgumentException if it is none, with the key
   */
  public static BridgePermit fromJson(JsonObject json) {
    ConfigValues.checkKeys(json, KEYS, "a permit");
    String address = ConfigValues.value(json, "address", String.class, "an address of the event bus");
    Object actions = json.getValue("actions");
    if (actions == null) {
      return address(address);
    }
    if (!(actions instanceof JsonArray array) || !array.stream().allMatch(String.class::isInstance)) {
      throw new IllegalArgumentException("actions is an array of names of methods, not " + actions);
    }
    return actions(address, array.stream().toArray(String[]::new));
  }

  /**
   * Writes the permit.
   *
   * @return what {@link #fromJson} reads
   */
  public JsonObject toJson() {
    JsonObject json = new JsonObject().put("address", address);
    actions.ifPresent(names -> json.put("actions", new JsonArray(List.copyOf(new TreeSet<>(names)))));
    return json;
  }
}
