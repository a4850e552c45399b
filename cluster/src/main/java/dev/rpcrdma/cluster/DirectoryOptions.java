// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster;

import dev.rpcrdma.verbs.options.DeclaredOptions;
import dev.rpcrdma.verbs.options.Option;
import dev.rpcrdma.verbs.options.OptionSet;
import dev.rpcrdma.verbs.options.OptionType;
import dev.rpcrdma.verbs.options.OptionValues;
import io.vertx.core.json.JsonObject;
import java.time.Duration;

/** How the servers of a cluster are looked for. Immutable. */
public final class DirectoryOptions extends DeclaredOptions {

  /** The map where servers are, unless another one is said. */
  public static final String DEFAULT_MAP = "rpcrdma.servers";

  private static final OptionSet OPTIONS = new OptionSet("DirectoryOptions", "cluster option");
  private static final Option<Duration> REFRESH = OPTIONS.add("refresh",
      OptionType.duration(Duration.ofMillis(10), Duration.ofDays(1)), Duration.ofSeconds(3),
      "how often the map is read, if nobody says that it has changed");
  private static final Option<String> MAP = OPTIONS.add("map",
      OptionType.text().only("a text that is not blank", name -> !name.isBlank()), DEFAULT_MAP,
      "the name of the cluster's map");

  /** The defaults. */
  public static final DirectoryOptions DEFAULT = new DirectoryOptions(new OptionValues(OPTIONS));

  private DirectoryOptions(OptionValues values) {
    super(values);
  }

  /**
   * Reads options.
   *
   * @param json see {@link #toJson()}; what is missing keeps its default
   * @return the options
   * @throws IllegalArgumentException if a key is unknown, or a value is not allowed, with what is
   */
  public static DirectoryOptions of(JsonObject json) {
    return new DirectoryOptions(new OptionValues(OPTIONS).read(json));
  }

  /**
   * How often the map is read, if nobody says that it has changed.
   *
   * @return 10 ms to 1 day
   */
  public Duration refresh() {
    return values.get(REFRESH);
  }

  /**
   * The name of the cluster's map.
   *
   * @return not blank
   */
  public String map() {
    return values.get(MAP);
  }

  /**
   * These options with another refresh period.
   *
   * @param value 10 ms to 1 day
   * @return a copy
   */
  public DirectoryOptions withRefresh(Duration value) {
    return with(REFRESH, value);
  }

  /**
   * These options with another map.
   *
   * @param name not blank
   * @return a copy
   */
  public DirectoryOptions withMap(String name) {
    return with(MAP, name);
  }

  /**
   * The JSON form.
   *
   * @return all options
   */
  public JsonObject toJson() {
    return values.toJson();
  }

  private <V> DirectoryOptions with(Option<V> option, V value) {
    OptionValues changed = new OptionValues(values);
    changed.set(option, value);
    return new DirectoryOptions(changed);
  }
}
