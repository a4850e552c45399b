// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import dev.rpcrdma.protocol.xdr.XdrException;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;

/** Writes and reads dates with a time of day. */
public final class DateTimes {

  private DateTimes() {}

  /**
   * Writes a date and a time of day.
   *
   * @param out the writer
   * @param value both
   * @param what their name
   */
  public static void writeLocalDateTime(ValueWriter out, LocalDateTime value, String what) {
    Dates.writeLocalDate(out, out.present(value, what).toLocalDate(), what);
    Times.writeLocalTime(out, value.toLocalTime(), what);
  }

  /**
   * Reads a date and a time of day.
   *
   * @param in the reader
   * @return both
   * @throws XdrException if one of them is none
   */
  public static LocalDateTime readLocalDateTime(ValueReader in) {
    return LocalDateTime.of(Dates.readLocalDate(in), Times.readLocalTime(in));
  }

  /**
   * Writes a date, a time of day and their offset from UTC.
   *
   * @param out the writer
   * @param value all three
   * @param what their name
   */
  public static void writeOffsetDateTime(ValueWriter out, OffsetDateTime value, String what) {
    writeLocalDateTime(out, out.present(value, what).toLocalDateTime(), what);
    Zones.writeZoneOffset(out, value.getOffset(), what);
  }

  /**
   * Reads a date, a time of day and their offset from UTC.
   *
   * @param in the reader
   * @return all three
   * @throws XdrException if one of them is none
   */
  public static OffsetDateTime readOffsetDateTime(ValueReader in) {
    return OffsetDateTime.of(readLocalDateTime(in), Zones.readZoneOffset(in));
  }

  /**
   * Writes a date, a time of day, their offset from UTC and the time zone.
   *
   * @param out the writer
   * @param value all four
   * @param what their name
   */
  public static void writeZonedDateTime(ValueWriter out, ZonedDateTime value, String what) {
    writeLocalDateTime(out, out.present(value, what).toLocalDateTime(), what);
    Zones.writeZoneOffset(out, value.getOffset(), what);
    Zones.writeZoneId(out, value.getZone(), what);
  }

  /**
   * Reads a date, a time of day, their offset from UTC and the time zone.
   *
   * @param in the reader
   * @return all four
   * @throws XdrException if one of them is none, or if by the rules of this side the zone does not have the
   *     offset at that time
   */
  public static ZonedDateTime readZonedDateTime(ValueReader in) {
    LocalDateTime local = readLocalDateTime(in);
    ZoneOffset offset = Zones.readZoneOffset(in);
    ZoneId zone = Zones.readZoneId(in);
    try {
      return ZonedDateTime.ofStrict(local, offset, zone);
    } catch (DateTimeException | ArithmeticException e) {
      throw new XdrException(zone + " does not have the offset " + offset + " at " + local);
    }
  }
}
