// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import dev.rpcrdma.verbs.options.JsonChecks;
import dev.rpcrdma.verbs.options.OptionType;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  /** Several, one for each address. */
  static final OptionType<List<BridgePermit>> LIST = OptionType.of("an array of permits", BridgePermit::readAll,
      all -> new JsonArray(all.stream().map(BridgePermit::toJson).toList()));

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
    JsonChecks.checkKeys(json, KEYS, "a permit");
    String address = JsonChecks.value(json, "address", String.class, "an address of the event bus");
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

  private static List<BridgePermit> readAll(String option, Object json) {
    List<BridgePermit> all = List.of();
    for (Object each : JsonChecks.typed(option, json, JsonArray.class, "an array of permits")) {
      if (!(each instanceof JsonObject permit)) {
        throw JsonChecks.wrong(option, "an array of permits", json);
      }
      all = added(all, fromJson(permit));
    }
    return all;
  }

  /** Puts one in the place of another one of its address, or behind all. */
  static List<BridgePermit> added(List<BridgePermit> others, BridgePermit permit) {
    Map<String, BridgePermit> all = new LinkedHashMap<>();
    others.forEach(other -> all.put(other.address, other));
    all.put(permit.address, permit);
    return List.copyOf(all.values());
  }
}
