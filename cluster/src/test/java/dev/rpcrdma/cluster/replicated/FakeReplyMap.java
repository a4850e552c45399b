// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.replicated;

import dev.rpcrdma.protocol.replicated.ReplyEntry;
import dev.rpcrdma.protocol.replicated.ReplyEntry.State;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.shareddata.AsyncMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** A map of one process that fails, waits, and loses answers as a test likes. */
final class FakeReplyMap implements AsyncMap<String, Buffer> {

  /** What becomes of an operation. */
  enum Fate {
    /** It is done. */
    DONE,
    /** It fails, and has no effect. */
    FAILS,
    /** It is done, and fails. */
    ANSWER_FAILS,
    /** It is done, and says that it was not: it was done twice. */
    DONE_TWICE,
    /** It waits, and is done when it is let go. */
    WAITS,
    /** It is done, and its answer waits. */
    ANSWER_WAITS
  }

  final Map<String, Buffer> entries = new ConcurrentHashMap<>();
  /** What has been asked for: "insert", "read"; "claim", "release" and "store" replace something. */
  final List<String> operations = new CopyOnWriteArrayList<>();
  /** The fates of operations to come, by their names. */
  private final Map<String, List<Fate>> fates = new ConcurrentHashMap<>();
  private final List<Runnable> waiting = new CopyOnWriteArrayList<>();
  /** Whether entries that are replaced can have a time. */
  volatile boolean timesReplaced;

  /** The next operation of this name has that fate; those behind it are done. */
  void next(String operation, Fate fate) {
    fates.computeIfAbsent(operation, name -> new CopyOnWriteArrayList<>()).add(fate);
  }

  /** Lets go what waits. */
  void letGo() {
    List<Runnable> all = new ArrayList<>(waiting);
    waiting.clear();
    all.forEach(Runnable::run);
  }

  boolean waits() {
    return !waiting.isEmpty();
  }

  ReplyEntry only() {
    return ReplyEntry.decode(entries.values().iterator().next().getBytes());
  }

  /** Whether a claim was given back. */
  boolean released() {
    return entries.values().stream().anyMatch(entry -> ReplyEntry.decode(entry.getBytes()).state() == State.RELEASED);
  }

  private Fate fate(String operation) {
    operations.add(operation);
    List<Fate> left = fates.getOrDefault(operation, List.of());
    return left.isEmpty() ? Fate.DONE : left.remove(0);
  }

  private <T> Future<T> operate(String name, T otherwise, Supplier<T> operation) {
    Promise<T> promise = Promise.promise();
    switch (fate(name)) {
      case DONE -> promise.complete(operation.get());
      case FAILS -> promise.fail("on purpose");
      case ANSWER_FAILS -> {
        operation.get();
        promise.fail("on purpose");
      }
      case DONE_TWICE -> {
        operation.get();
        promise.complete(otherwise);
      }
      case WAITS -> waiting.add(() -> promise.complete(operation.get()));
      case ANSWER_WAITS -> {
        T result = operation.get();
        waiting.add(() -> promise.complete(result));
      }
    }
    return promise.future();
  }

  @Override
  public Future<Buffer> get(String key) {
    return operate("read", null, () -> entries.get(key));
  }

  @Override
  public Future<Buffer> putIfAbsent(String key, Buffer value, long ttl) {
    return operate("insert", value, () -> entries.putIfAbsent(key, value));
  }

  @Override
  public Future<Boolean> replaceIfPresent(String key, Buffer from, Buffer to) {
    String name = switch (ReplyEntry.decode(to.getBytes()).state()) {
      case CLAIMED -> "claim";
      case RELEASED -> "release";
      default -> "store";
    };
    return operate(name, false, () -> entries.replace(key, from, to));
  }

  @Override
  public Future<Boolean> replaceIfPresent(String key, Buffer from, Buffer to, long ttl) {
    return timesReplaced ? replaceIfPresent(key, from, to) : AsyncMap.super.replaceIfPresent(key, from, to, ttl);
  }

  // Nobody needs these

  @Override
  public Future<Void> put(String key, Buffer value) {
    throw new AssertionError("It does not compare");
  }

  @Override
  public Future<Void> put(String key, Buffer value, long ttl) {
    throw new AssertionError("It does not compare");
  }

  @Override
  public Future<Buffer> putIfAbsent(String key, Buffer value) {
    throw new AssertionError("It lasts for ever");
  }

  @Override
  public Future<Buffer> remove(String key) {
    throw new AssertionError("Its number is lost");
  }

  @Override
  public Future<Boolean> removeIfPresent(String key, Buffer value) {
    throw new AssertionError("Its number is lost");
  }

  @Override
  public Future<Buffer> replace(String key, Buffer value) {
    throw new AssertionError("It does not compare");
  }

  @Override
  public Future<Void> clear() {
    throw new AssertionError("Its numbers are lost");
  }

  @Override
  public Future<Integer> size() {
    return Future.succeededFuture(entries.size());
  }

  @Override
  public Future<Set<String>> keys() {
    return Future.succeededFuture(entries.keySet());
  }

  @Override
  public Future<List<Buffer>> values() {
    return Future.succeededFuture(List.copyOf(entries.values()));
  }

  @Override
  public Future<Map<String, Buffer>> entries() {
    return Future.succeededFuture(entries);
  }
}
