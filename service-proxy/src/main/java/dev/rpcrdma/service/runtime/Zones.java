// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import dev.rpcrdma.protocol.xdr.XdrException;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Writes and reads time zones. */
public final class Zones {

  /** The bound of a zone's name in bytes: more than any name has. */
  static final int MAX_NAME = 64;

  private static final int MAX_OFFSET = ZoneOffset.MAX.getTotalSeconds();

  private Zones() {}

  /**
   * Writes an offset from UTC in seconds.
   *
   * @param out the writer
   * @param value the offset
   * @param what its name
   */
  public static void writeZoneOffset(ValueWriter out, ZoneOffset value, String what) {
    out.int32(out.present(value, what).getTotalSeconds());
  }

  /**
   * Reads an offset from UTC.
   *
   * @param in the reader
   * @return the offset
   * @throws XdrException if it is more than 18 hours
   */
  public static ZoneOffset readZoneOffset(ValueReader in) {
    return ZoneOffset.ofTotalSeconds(in.ranged(-MAX_OFFSET, MAX_OFFSET, "an offset from UTC in seconds"));
  }

  /**
   * Writes the name of a time zone.
   *
   * @param out the writer
   * @param value the zone
   * @param what its name
   */
  public static void writeZoneId(ValueWriter out, ZoneId value, String what) {
    out.string(out.present(value, what).getId(), MAX_NAME, what);
  }

  /**
   * Reads a time zone.
   *
   * @param in the reader
   * @return the zone
   * @throws XdrException if this side knows no zone of that name
   */
  public static ZoneId readZoneId(ValueReader in) {
    String name = in.string(MAX_NAME);
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw new XdrException("\"" + name + "\" is no time zone");
    }
  }
}
