// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.proxygen;

import io.vertx.codegen.annotations.Fluent;
import io.vertx.codegen.annotations.ProxyGen;
import io.vertx.codegen.annotations.ProxyIgnore;
import io.vertx.codegen.annotations.VertxGen;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All that a service of the event bus can have. */
@ProxyGen
@VertxGen
public interface Everything {

  void noParameters();

  void basics(String str, byte b, short s, int i, long l, float f, double d, char c, boolean bool);

  void boxed(String str, Byte b, Short s, Integer i, Long l, Float f, Double d, Character c, Boolean bool);

  void json(JsonObject object, JsonArray array);

  void buffer(Buffer buffer);

  void enumeration(Mood mood);

  void dataObject(Options options);

  void lists(List<String> strings, List<Byte> bytes, List<Short> shorts, List<Integer> ints, List<Long> longs,
      List<JsonObject> objects, List<JsonArray> arrays, List<Options> options);

  void sets(Set<String> strings, Set<Byte> bytes, Set<Short> shorts, Set<Integer> ints, Set<Long> longs,
      Set<JsonObject> objects, Set<JsonArray> arrays, Set<Options> options);

  void maps(Map<String, String> strings, Map<String, Byte> bytes, Map<String, Short> shorts,
      Map<String, Integer> ints, Map<String, Long> longs, Map<String, JsonObject> objects,
      Map<String, JsonArray> arrays);

  Future<JsonArray> heard();

  Future<String> string(String value);

  Future<Byte> byteValue(Byte value);

  Future<Short> shortValue(Short value);

  Future<Integer> intValue(Integer value);

  Future<Long> longValue(Long value);

  Future<Float> floatValue(Float value);

  Future<Double> doubleValue(Double value);

  Future<Character> charValue(Character value);

  Future<Boolean> booleanValue(Boolean value);

  Future<JsonObject> jsonObject(JsonObject value);

  Future<JsonArray> jsonArray(JsonArray value);

  Future<Buffer> bufferValue(Buffer value);

  Future<Mood> mood(Mood value);

  Future<Options> options(Options value);

  Future<Void> nothing();

  Future<List<String>> listOfStrings(List<String> value);

  Future<List<Character>> listOfChars(String value);

  Future<List<Options>> listOfOptions(List<Options> value);

  Future<Set<Long>> setOfLongs(Set<Long> value);

  Future<Set<JsonObject>> setOfObjects(Set<JsonObject> value);

  @Fluent
  Everything fluent(String str);

  Future<Session> connect(String name);

  Future<String> fail(String how);

  @ProxyIgnore
  void ignored();
}
