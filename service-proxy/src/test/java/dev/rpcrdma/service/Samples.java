// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import dev.rpcrdma.service.fixture.BlobInfo;
import dev.rpcrdma.service.fixture.Bundle;
import dev.rpcrdma.service.fixture.Color;
import dev.rpcrdma.service.fixture.Echo;
import dev.rpcrdma.service.fixture.Settings;
import dev.rpcrdma.service.fixture.Tree;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Values with their golden bytes. */
final class Samples {

  /**
   * A value.
   *
   * @param procedure the procedure of {@link Echo} that takes it
   * @param value the value
   * @param hex its bytes
   * @param call sends it
   */
  record Sample(int procedure, Object value, String hex, Function<Echo, Future<Object>> call) {

    byte[] bytes() {
      return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    @Override
    public String toString() {
      String text = procedure + ": " + value;
      return text.length() > 60 ? text.substring(0, 60) + "…" : text;
    }
  }

  static final List<Sample> ALL = all();

  private Samples() {}

  static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes).replaceAll("(.{8})(?!$)", "$1 ");
  }

  private static List<Sample> all() {
    List<Sample> samples = new ArrayList<>();
    scalars(samples);
    sequences(samples);
    times(samples);
    collections(samples);
    structs(samples);
    return List.copyOf(samples);
  }

  private static void scalars(List<Sample> samples) {
    add(samples, 1, Echo::ofBoolean, false, "00000000");
    add(samples, 1, Echo::ofBoolean, true, "00000001");
    add(samples, 2, Echo::ofByte, Byte.MIN_VALUE, "ffffff80");
    add(samples, 2, Echo::ofByte, Byte.MAX_VALUE, "0000007f");
    add(samples, 3, Echo::ofShort, Short.MIN_VALUE, "ffff8000");
    add(samples, 4, Echo::ofChar, Character.MAX_VALUE, "0000ffff");
    add(samples, 4, Echo::ofChar, 'A', "00000041");
    add(samples, 5, Echo::ofInt, Integer.MIN_VALUE, "80000000");
    add(samples, 5, Echo::ofInt, Integer.MAX_VALUE, "7fffffff");
    add(samples, 6, Echo::ofLong, Long.MIN_VALUE, "80000000 00000000");
    add(samples, 6, Echo::ofLong, -2L, "ffffffff fffffffe");
    add(samples, 7, Echo::ofFloat, 1.5f, "3fc00000");
    add(samples, 8, Echo::ofDouble, -1.5d, "bff80000 00000000");
    add(samples, 13, Echo::ofEnum, Color.RED, "00000000");
    add(samples, 13, Echo::ofEnum, Color.GREEN, "00000001");
  }

  private static void sequences(List<Sample> samples) {
    add(samples, 9, Echo::ofString, "", "00000000");
    add(samples, 9, Echo::ofString, "ß€𝄞\0", "0000000a c39fe282 acf09d84 9e000000");
    add(samples, 10, Echo::ofBuffer, Buffer.buffer(), "00000000");
    add(samples, 10, Echo::ofBuffer, Buffer.buffer(new byte[] {-1, 0, 1, 2, 3}),
        "00000005 ff000102 03000000");
    add(samples, 11, Echo::ofBytes, new byte[] {1, 2, 3, 4}, "00000004 01020304");
    add(samples, 20, Echo::ofJsonObject, new JsonObject().put("a", 1),
        "00000007 7b226122 3a317d00");
    add(samples, 21, Echo::ofJsonArray, new JsonArray().add("b").addNull(),
        "0000000a 5b226222 2c6e756c 6c5d0000");
    add(samples, 22, Echo::ofDataObject, new Settings("h"),
        "0000000c 7b22686f 7374223a 2268227d");
  }

  private static void times(List<Sample> samples) {
    add(samples, 23, Echo::ofInstant, Instant.EPOCH, "00000000 00000000 00000000");
    add(samples, 23, Echo::ofInstant, Instant.MIN, "ff8fe310 14641400 00000000");
    add(samples, 23, Echo::ofInstant, Instant.ofEpochSecond(-1, 999_999_999),
        "ffffffff ffffffff 3b9ac9ff");
    add(samples, 24, Echo::ofDuration, Duration.ofSeconds(Long.MAX_VALUE, 1),
        "7fffffff ffffffff 00000001");
    add(samples, 24, Echo::ofDuration, Duration.ofMillis(-1), "ffffffff ffffffff 3b8b87c0");
  }

  private static void collections(List<Sample> samples) {
    add(samples, 14, Echo::ofList, List.of(), "00000000");
    add(samples, 14, Echo::ofList, List.of("a", "", "a"),
        "00000003 00000001 61000000 00000000 00000001 61000000");
    Set<Color> set = new LinkedHashSet<>(List.of(Color.BLUE, Color.RED));
    add(samples, 15, Echo::ofSet, set, "00000002 00000002 00000000");
    Map<String, Short> map = new LinkedHashMap<>();
    map.put("k", (short) -1);
    map.put("", (short) 2);
    add(samples, 16, Echo::ofMap, map, "00000002 00000001 6b000000 ffffffff 00000000 00000002");
    add(samples, 17, Echo::ofOptional, Optional.empty(), "00000000");
    add(samples, 17, Echo::ofOptional, Optional.of(new BlobInfo("n", 3, Buffer.buffer("d"))),
        "00000001 00000001 6e000000 00000000 00000003 00000001 64000000");
    add(samples, 26, Echo::ofNested, List.of(List.of(), List.of(Optional.of(7), Optional.empty())),
        "00000002 00000000 00000002 00000001 00000007 00000000");
  }

  private static void structs(List<Sample> samples) {
    add(samples, 18, Echo::ofRecord,
        new Bundle(1, "lab", Color.BLUE, List.of(new BlobInfo("", 2, Buffer.buffer())),
            Optional.of(new Bundle.Inner(true))),
        "00000001 00000003 6c616200 00000002 00000001 00000000 00000000 00000002 00000000"
            + " 00000001 00000001");
    add(samples, 19, Echo::ofTree,
        new Tree("r", List.of(new Tree("c", List.of(), Optional.empty())), Optional.empty()),
        "00000001 72000000 00000001 00000001 63000000 00000000 00000000 00000000");
  }

  private static <T> void add(List<Sample> samples, int procedure,
      BiFunction<Echo, T, Future<T>> call, T value, String hex) {
    samples.add(new Sample(procedure, value, hex, echo -> call.apply(echo, value).map(v -> v)));
  }
}
