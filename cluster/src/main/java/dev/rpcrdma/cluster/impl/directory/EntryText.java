// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import dev.rpcrdma.cluster.ClusterProgram;
import dev.rpcrdma.cluster.ClusterServer;
import dev.rpcrdma.verbs.base.Causes;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * An entry of the map as a text of JSON, which each cluster manager can carry. There are no times of any clock in it.
 * Keys that are not known are skipped, so that a format may get new ones; what would be misunderstood without them
 * needs a new format.
 */
final class EntryText {

  /** The newest format that is known. */
  static final int FORMAT = 1;

  private static final String CALLS = "calls";
  private static final long MAX_UNSIGNED = 0xffff_ffffL;

  private EntryText() {}

  static String write(ServerEntry entry) {
    ClusterServer server = entry.server();
    JsonArray programs = new JsonArray();
    server.programs().forEach(program -> programs.add(new JsonObject().put("name", program.name())
        .put("program", Integer.toUnsignedLong(program.program()))
        .put("version", Integer.toUnsignedLong(program.version()))));
    JsonObject json = new JsonObject().put("format", FORMAT).put("sequence", entry.sequence())
        .put("ttl", TimeUnit.NANOSECONDS.toMillis(entry.ttlNanos())).put("node", server.node())
        .put("devices", new JsonArray(server.devices())).put("host", server.host()).put("port", server.port())
        .put("connections", server.connections()).put("draining", server.draining()).put("programs", programs);
    server.calls().ifPresent(calls -> json.put(CALLS, calls));
    return json.encode();
  }

  /**
   * Reads an entry.
   *
   * @throws IllegalArgumentException if it is none, or one of a newer format, with the reason
   */
  static ServerEntry read(String instance, Object value) {
    if (!(value instanceof String text)) {
      throw new IllegalArgumentException("it is no text");
    }
    try {
      JsonObject json = new JsonObject(text);
      long format = number(json, "format", 1, Long.MAX_VALUE);
      if (format > FORMAT) {
        throw new IllegalArgumentException("its format is " + format + ", and the newest that is known is " + FORMAT);
      }
      return read(instance, json);
    } catch (ClassCastException | NullPointerException e) {
      throw new IllegalArgumentException("something in it is missing, or of another type", e);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(Causes.message(e), e);
    }
  }

  private static ServerEntry read(String instance, JsonObject json) {
    List<ClusterProgram> programs = new ArrayList<>();
    for (Object each : json.getJsonArray("programs")) {
      JsonObject program = (JsonObject) each;
      programs.add(new ClusterProgram(program.getString("name"), (int) number(program, "program", 0, MAX_UNSIGNED),
          (int) number(program, "version", 0, MAX_UNSIGNED)));
    }
    List<String> devices = new ArrayList<>();
    json.getJsonArray("devices").forEach(each -> devices.add((String) each));
    if (json.getString("host").isBlank()) {
      throw new IllegalArgumentException("host is blank");
    }
    return new ServerEntry(new ClusterServer(instance, json.getString("node"), devices,
        json.getString("host"), (int) number(json, "port", 1, 65535), programs,
        (int) number(json, "connections", 0, Integer.MAX_VALUE), calls(json), json.getBoolean("draining")),
        number(json, "sequence", 1, Long.MAX_VALUE),
        TimeUnit.MILLISECONDS.toNanos(number(json, "ttl", 1, TimeUnit.DAYS.toMillis(1))));
  }

  /** Entries of earlier releases have none. */
  private static OptionalInt calls(JsonObject json) {
    return json.containsKey(CALLS) ? OptionalInt.of((int) number(json, CALLS, 0, Integer.MAX_VALUE))
        : OptionalInt.empty();
  }

  private static long number(JsonObject json, String key, long min, long max) {
    Object value = json.getValue(key);
    if (!(value instanceof Integer || value instanceof Long) || ((Number) value).longValue() < min
        || ((Number) value).longValue() > max) {
      throw new IllegalArgumentException(key + " is " + value);
    }
    return ((Number) value).longValue();
  }
}
