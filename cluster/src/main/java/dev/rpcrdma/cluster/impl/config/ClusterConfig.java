// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.config;

import dev.rpcrdma.api.impl.verticle.ConfiguredClass;
import dev.rpcrdma.api.resolver.ProgramAddress;
import dev.rpcrdma.cluster.DirectoryOptions;
import dev.rpcrdma.verbs.options.JsonChecks;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a configuration says of how a client finds servers in a cluster. */
final class ClusterConfig {

  /** Which program a client looks for. */
  private static final Set<String> PROGRAM = Set.of("interface", "program", "version");
  private static final long MAX_UNSIGNED = 0xffff_ffffL;

  private ClusterConfig() {}

  /**
   * How a client keeps up to date.
   *
   * @throws IllegalArgumentException if something is wrong
   */
  static DirectoryOptions directory(JsonObject json) {
    JsonObject options = json.copy();
    Set<String> known = DirectoryOptions.DEFAULT.toJson().fieldNames();
    JsonChecks.checkKeys(json, Stream.concat(PROGRAM.stream(), known.stream()).collect(Collectors.toSet()), "cluster");
    PROGRAM.forEach(options::remove);
    return DirectoryOptions.of(options);
  }

  /**
   * Which program a client looks for.
   *
   * @param otherwise unless {@code json} names another; empty if it has to
   * @throws IllegalArgumentException if something is wrong
   */
  static ProgramAddress program(JsonObject json, Optional<ProgramAddress> otherwise) {
    boolean numbers = json.containsKey("program") || json.containsKey("version");
    if (json.containsKey("interface")) {
      if (numbers) {
        throw new IllegalArgumentException("cluster has interface, or program and version, not both");
      }
      return ProgramAddress.of(ConfiguredClass.load(json, "interface"));
    }
    if (!numbers) {
      return otherwise.orElseThrow(() -> new IllegalArgumentException(
          "cluster has interface, or program and version, and there is none of them"));
    }
    return ProgramAddress.of(unsigned(json, "program"), unsigned(json, "version"));
  }

  private static int unsigned(JsonObject json, String key) {
    String allowed = "a whole number, 0 to " + MAX_UNSIGNED;
    long value = JsonChecks.whole(key, json.getValue(key), allowed);
    if (value < 0 || value > MAX_UNSIGNED) {
      throw JsonChecks.wrong(key, allowed, value);
    }
    return (int) value;
  }
}
