// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Values of some types with their golden bytes, and bytes that are no such values.
 *
 * @param <S> the program whose procedures give back what they get
 */
final class TypeFamily<S> {

  /**
   * A value.
   *
   * @param procedure the procedure that takes it
   * @param value the value
   * @param hex its bytes
   * @param call sends it
   */
  record Sample<S>(int procedure, Object value, String hex, Function<S, Future<Object>> call) {

    byte[] bytes() {
      return parsed(hex);
    }

    @Override
    public String toString() {
      return procedure + ": " + hex;
    }
  }

  /**
   * Bytes that are no value.
   *
   * @param procedure the procedure that gets them
   * @param hex the bytes
   * @param message part of what is said of them
   */
  record Bad(int procedure, String hex, String message) {

    byte[] bytes() {
      return parsed(hex);
    }
  }

  private final List<Sample<S>> samples = new ArrayList<>();
  private final List<Bad> bad = new ArrayList<>();

  /** Adds a value. */
  <T> TypeFamily<S> good(int procedure, BiFunction<S, T, Future<T>> call, T value, String hex) {
    samples.add(new Sample<>(procedure, value, hex, program -> call.apply(program, value).map(v -> v)));
    return this;
  }

  /** Adds bytes that are refused. */
  TypeFamily<S> bad(int procedure, String hex, String message) {
    bad.add(new Bad(procedure, hex, message));
    return this;
  }

  List<Sample<S>> samples() {
    return samples;
  }

  List<Bad> bad() {
    return bad;
  }

  private static byte[] parsed(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }
}
