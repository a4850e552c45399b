// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import dev.rpcrdma.protocol.xdr.XdrException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.OffsetTime;

/** Writes and reads times that no calendar is needed for: seconds, and nanoseconds below 10^9. */
public final class Times {

  private static final int NANOS_PER_SECOND = 1_000_000_000;
  private static final int SECONDS_PER_DAY = 86_400;

  private Times() {}

  /**
   * Writes a point in time as seconds (hyper) and nanoseconds (unsigned int).
   *
   * @param out the writer
   * @param value the instant
   * @param what its name
   */
  public static void writeInstant(ValueWriter out, Instant value, String what) {
    out.int64(out.present(value, what).getEpochSecond());
    out.int32(value.getNano());
  }

  /**
   * Reads a point in time.
   *
   * @param in the reader
   * @return the instant
   * @throws XdrException if it is before {@link Instant#MIN} or after {@link Instant#MAX}
   */
  public static Instant readInstant(ValueReader in) {
    long seconds = in.int64();
    int nanos = nanos(in);
    try {
      return Instant.ofEpochSecond(seconds, nanos);
    } catch (DateTimeException e) {
      throw new XdrException(seconds + " seconds are no instant");
    }
  }

  /**
   * Writes a span of time as seconds (hyper) and nanoseconds (unsigned int).
   *
   * @param out the writer
   * @param value the duration
   * @param what its name
   */
  public static void writeDuration(ValueWriter out, Duration value, String what) {
    out.int64(out.present(value, what).getSeconds());
    out.int32(value.getNano());
  }

  /**
   * Reads a span of time.
   *
   * @param in the reader
   * @return the duration
   */
  public static Duration readDuration(ValueReader in) {
    return Duration.ofSeconds(in.int64(), nanos(in));
  }

  /**
   * Writes a time of day as the seconds since midnight and nanoseconds (both unsigned int).
   *
   * @param out the writer
   * @param value the time
   * @param what its name
   */
  public static void writeLocalTime(ValueWriter out, LocalTime value, String what) {
    out.int32(out.present(value, what).toSecondOfDay());
    out.int32(value.getNano());
  }

  /**
   * Reads a time of day.
   *
   * @param in the reader
   * @return the time
   * @throws XdrException if it is no time of a day
   */
  public static LocalTime readLocalTime(ValueReader in) {
    int second = in.ranged(0, SECONDS_PER_DAY - 1, "a second of the day");
    return LocalTime.ofSecondOfDay(second).withNano(nanos(in));
  }

  /**
   * Writes a time of day and its offset from UTC.
   *
   * @param out the writer
   * @param value the time
   * @param what its name
   */
  public static void writeOffsetTime(ValueWriter out, OffsetTime value, String what) {
    writeLocalTime(out, out.present(value, what).toLocalTime(), what);
    Zones.writeZoneOffset(out, value.getOffset(), what);
  }

  /**
   * Reads a time of day and its offset from UTC.
   *
   * @param in the reader
   * @return the time
   * @throws XdrException if it is no time of a day, or no offset
   */
  public static OffsetTime readOffsetTime(ValueReader in) {
    return OffsetTime.of(readLocalTime(in), Zones.readZoneOffset(in));
  }

  private static int nanos(ValueReader in) {
    return in.ranged(0, NANOS_PER_SECOND - 1, "a number of nanoseconds");
  }
}
