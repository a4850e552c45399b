// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.proxygen;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.serviceproxy.ServiceException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Answers with what it was given, and keeps what calls without an answer have brought. */
final class EverythingImpl implements Everything {

  /** Names of methods, and their arguments. */
  final BlockingQueue<List<Object>> heard = new LinkedBlockingQueue<>();
  final BlockingQueue<String> closed = new LinkedBlockingQueue<>();

  private void hear(Object... all) {
    heard.add(new ArrayList<>(Arrays.asList(all)));
  }

  @Override
  public void noParameters() {
    hear("noParameters");
  }

  @Override
  public void basics(String str, byte b, short s, int i, long l, float f, double d, char c, boolean bool) {
    hear("basics", str, b, s, i, l, f, d, c, bool);
  }

  @Override
  public void boxed(String str, Byte b, Short s, Integer i, Long l, Float f, Double d, Character c, Boolean bool) {
    hear("boxed", str, b, s, i, l, f, d, c, bool);
  }

  @Override
  public void json(JsonObject object, JsonArray array) {
    hear("json", object, array);
  }

  @Override
  public void buffer(Buffer buffer) {
    hear("buffer", buffer);
  }

  @Override
  public void enumeration(Mood mood) {
    hear("enumeration", mood);
  }

  @Override
  public void dataObject(Options options) {
    hear("dataObject", options);
  }

  @Override
  public void lists(List<String> strings, List<Byte> bytes, List<Short> shorts, List<Integer> ints, List<Long> longs,
      List<JsonObject> objects, List<JsonArray> arrays, List<Options> options) {
    hear("lists", strings, bytes, shorts, ints, longs, objects, arrays, options);
  }

  @Override
  public void sets(Set<String> strings, Set<Byte> bytes, Set<Short> shorts, Set<Integer> ints, Set<Long> longs,
      Set<JsonObject> objects, Set<JsonArray> arrays, Set<Options> options) {
    hear("sets", strings, bytes, shorts, ints, longs, objects, arrays, options);
  }

  @Override
  public void maps(Map<String, String> strings, Map<String, Byte> bytes, Map<String, Short> shorts,
      Map<String, Integer> ints, Map<String, Long> longs, Map<String, JsonObject> objects,
      Map<String, JsonArray> arrays) {
    hear("maps", strings, bytes, shorts, ints, longs, objects, arrays);
  }

  @Override
  public Future<JsonArray> heard() {
    return Future.succeededFuture(new JsonArray(heard.stream().map(each -> each.get(0)).toList()));
  }

  @Override
  public Future<String> string(String value) {
    return Future.succeededFuture(value);
  }

  @Override
  public Future<Byte> byteValue(Byte value) {
    return Future.succeededFuture(value);
  }

  @Override
  public Future<Short> shortValue(Short value) {
    return Future.succeededFuture(value);
  }

  @Override
  public Future<Integer> intValue(Integer value) {
    return Future.succeededFuture(value);
  }

  @Override
  public Future<Long> longValue(Long value) {
    return Future.succeededFuture(value);
  }

  @Override
  public Future<Float> floatValue(Float value) {
    return Future.succeededFuture(value);
  }

  @Override
  public Future<Double> doubleValue(Double value) {
    return Future.succeededFuture(value);
  }

  @Override
  public Future<Character> charValue(Character value) {
    return Future.succeededFuture(value);
  }

  @Override
  public Future<Boolean> booleanValue(Boolean value) {
    return Future.succeededFuture(value);
  }

  @Override
  public Future<JsonObject> jsonObject(JsonObject value) {
    return Future.succeededFuture(value);
  }

  @Override
  public Future<JsonArray> jsonArray(JsonArray value) {
    return Future.succeededFuture(value);
  }

  @Override
  public Future<Buffer> bufferValue(Buffer value) {
    return Future.succeededFuture(value);
  }

  @Override
  public Future<Mood> mood(Mood value) {
    return Future.succeededFuture(value);
  }

  @Override
  public Future<Options> options(Options value) {
    return Future.succeededFuture(value);
  }

  @Override
  public Future<Void> nothing() {
    return Future.succeededFuture();
  }

  @Override
  public Future<List<String>> listOfStrings(List<String> value) {
    return Future.succeededFuture(value);
  }

  @Override
  public Future<List<Character>> listOfChars(String value) {
    return Future.succeededFuture(value.chars().mapToObj(each -> (char) each).toList());
  }

  @Override
  public Future<List<Options>> listOfOptions(List<Options> value) {
    return Future.succeededFuture(value);
  }

  @Override
  public Future<Set<Long>> setOfLongs(Set<Long> value) {
    return Future.succeededFuture(value);
  }

  @Override
  public Future<Set<JsonObject>> setOfObjects(Set<JsonObject> value) {
    return Future.succeededFuture(value);
  }

  @Override
  public Everything fluent(String str) {
    hear("fluent", str);
    return this;
  }

  @Override
  public Future<Session> connect(String name) {
    return Future.succeededFuture(new SessionImpl(name, closed));
  }

  /** An exception that throws when it is asked for its message. */
  static final class SilentException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new UnsupportedOperationException("no message");
    }
  }

  @Override
  public Future<String> fail(String how) {
    switch (how) {
      case "service":
        return Future.failedFuture(new ServiceException(30, "refused", new JsonObject().put("why", "because")));
      case "other":
        return Future.failedFuture(new IllegalArgumentException("odd"));
      case "without message":
        return Future.failedFuture(new IllegalStateException());
      case "thrown":
        throw new IllegalStateException("thrown");
      case "silent":
        return Future.failedFuture(new SilentException());
      case "silent, thrown":
        throw new SilentException();
      default:
        return Future.succeededFuture(how);
    }
  }

  @Override
  public void ignored() {
    hear("ignored");
  }
}
