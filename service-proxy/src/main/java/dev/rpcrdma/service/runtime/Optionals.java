// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Writes and reads the optionals of primitives as optional-data (RFC 4506 §4.19). */
public final class Optionals {

  private Optionals() {}

  /**
   * Writes an optional int.
   *
   * @param out the writer
   * @param value the optional
   * @param what its name
   */
  public static void writeOptionalInt(ValueWriter out, OptionalInt value, String what) {
    out.bool(out.present(value, what).isPresent());
    value.ifPresent(out::int32);
  }

  /**
   * Reads an optional int.
   *
   * @param in the reader
   * @return the optional
   */
  public static OptionalInt readOptionalInt(ValueReader in) {
    return in.bool() ? OptionalInt.of(in.int32()) : OptionalInt.empty();
  }

  /**
   * Writes an optional hyper.
   *
   * @param out the writer
   * @param value the optional
   * @param what its name
   */
  public static void writeOptionalLong(ValueWriter out, OptionalLong value, String what) {
    out.bool(out.present(value, what).isPresent());
    value.ifPresent(out::int64);
  }

  /**
   * Reads an optional hyper.
   *
   * @param in the reader
   * @return the optional
   */
  public static OptionalLong readOptionalLong(ValueReader in) {
    return in.bool() ? OptionalLong.of(in.int64()) : OptionalLong.empty();
  }

  /**
   * Writes an optional double.
   *
   * @param out the writer
   * @param value the optional
   * @param what its name
   */
  public static void writeOptionalDouble(ValueWriter out, OptionalDouble value, String what) {
    out.bool(out.present(value, what).isPresent());
    value.ifPresent(out::float64);
  }

  /**
   * Reads an optional double.
   *
   * @param in the reader
   * @return the optional
   */
  public static OptionalDouble readOptionalDouble(ValueReader in) {
    return in.bool() ? OptionalDouble.of(in.float64()) : OptionalDouble.empty();
  }
}
