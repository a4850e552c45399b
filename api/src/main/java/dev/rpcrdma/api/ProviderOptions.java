// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.verbs.options.JsonChecks;
import dev.rpcrdma.verbs.options.OptionType;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A provider, and settings of its own.
 *
 * @param name such as {@code siw}; empty for the usable one with the highest priority
 * @param settings see the provider's documentation; empty for its defaults
 */
public record ProviderOptions(String name, JsonObject settings) {

  private static final String FORMS = "an array of names, or of objects with name and options";
  private static final Set<String> KEYS = Set.of("name", "options");

  /** Several, each of another name. */
  static final OptionType<List<ProviderOptions>> LIST = OptionType.of(FORMS, ProviderOptions::read,
      ProviderOptions::write);

  /** Takes a copy of the settings. */
  public ProviderOptions {
    Objects.requireNonNull(name, "name");
    settings = settings.copy();
  }

  /**
   * The settings.
   *
   * @return a copy
   */
  @Override
  public JsonObject settings() {
    return settings.copy();
  }

  /** Adds one behind others. */
  static List<ProviderOptions> added(List<ProviderOptions> others, ProviderOptions last) {
    if (last.name.isEmpty() || others.stream().anyMatch(other -> other.name.equals(last.name))) {
      throw new IllegalArgumentException("providers have names, each another one, not \"" + last.name + "\"");
    }
    List<ProviderOptions> all = new ArrayList<>(others);
    all.add(last);
    return List.copyOf(all);
  }

  private static List<ProviderOptions> read(String option, Object json) {
    List<ProviderOptions> all = List.of();
    for (Object each : JsonChecks.typed(option, json, JsonArray.class, FORMS)) {
      all = added(all, readOne(option, each));
    }
    return all;
  }

  private static ProviderOptions readOne(String option, Object json) {
    if (json instanceof String name) {
      return new ProviderOptions(name, new JsonObject());
    }
    if (json instanceof JsonObject provider && KEYS.containsAll(provider.fieldNames())
        && provider.getValue("name") instanceof String name
        && provider.getValue("options", new JsonObject()) instanceof JsonObject settings) {
      return new ProviderOptions(name, settings);
    }
    throw JsonChecks.wrong(option, FORMS, json);
  }

  private static Object write(List<ProviderOptions> all) {
    JsonArray json = new JsonArray();
    all.forEach(each -> json.add(new JsonObject().put("name", each.name).put("options", each.settings())));
    return json;
  }
}
