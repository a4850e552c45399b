// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.model;

import dev.rpcrdma.protocol.xdr.XdrReader;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Which attributes shall change (RFC 1813 §2.5, sattr3).
 *
 * @param mode permissions
 * @param uid whose it shall be
 * @param gid which group's it shall be
 * @param size where it shall end; unsigned
 * @param accessed its time of access
 * @param modified its time of modification
 */
public record NewAttributes(OptionalInt mode, OptionalInt uid, OptionalInt gid, OptionalLong size,
    NewTime accessed, NewTime modified) {

  /** Nothing changes. */
  public static final NewAttributes NONE = new NewAttributes(OptionalInt.empty(),
      OptionalInt.empty(), OptionalInt.empty(), OptionalLong.empty(), NewTime.KEEP, NewTime.KEEP);

  /**
   * Reads them.
   *
   * @param reader where from
   * @return the changes
   */
  public static NewAttributes decode(XdrReader reader) {
    return new NewAttributes(number(reader), number(reader), number(reader),
        reader.bool() ? OptionalLong.of(reader.int64()) : OptionalLong.empty(),
        NewTime.decode(reader), NewTime.decode(reader));
  }

  private static OptionalInt number(XdrReader reader) {
    return reader.bool() ? OptionalInt.of(reader.int32()) : OptionalInt.empty();
  }

  /**
   * The same, but for the permissions.
   *
   * @param value permissions
   * @return a copy
   */
  public NewAttributes withMode(int value) {
    return new NewAttributes(OptionalInt.of(value), uid, gid, size, accessed, modified);
  }

  /**
   * The same, but for the size.
   *
   * @param value in bytes
   * @return a copy
   */
  public NewAttributes withSize(long value) {
    return new NewAttributes(mode, uid, gid, OptionalLong.of(value), accessed, modified);
  }

  /**
   * The same, without a size.
   *
   * @return a copy
   */
  public NewAttributes withoutSize() {
    return new NewAttributes(mode, uid, gid, OptionalLong.empty(), accessed, modified);
  }
}
