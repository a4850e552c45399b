// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import dev.rpcrdma.protocol.xdr.XdrException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;

/** Writes and reads what has to do with days of the ISO calendar. */
public final class Dates {

  private Dates() {}

  /**
   * Writes a year.
   *
   * @param out the writer
   * @param value the year
   * @param what its name
   */
  public static void writeYear(ValueWriter out, Year value, String what) {
    out.int32(out.present(value, what).getValue());
  }

  /**
   * Reads a year.
   *
   * @param in the reader
   * @return the year
   * @throws XdrException if it is not within {@link Year#MIN_VALUE} and {@link Year#MAX_VALUE}
   */
  public static Year readYear(ValueReader in) {
    return Year.of(year(in));
  }

  /**
   * Writes a month of a year.
   *
   * @param out the writer
   * @param value the month
   * @param what its name
   */
  public static void writeYearMonth(ValueWriter out, YearMonth value, String what) {
    out.int32(out.present(value, what).getYear());
    out.int32(value.getMonthValue());
  }

  /**
   * Reads a month of a year.
   *
   * @param in the reader
   * @return the month
   * @throws XdrException if it is none
   */
  public static YearMonth readYearMonth(ValueReader in) {
    return YearMonth.of(year(in), month(in));
  }

  /**
   * Writes a day of any year.
   *
   * @param out the writer
   * @param value the day
   * @param what its name
   */
  public static void writeMonthDay(ValueWriter out, MonthDay value, String what) {
    out.int32(out.present(value, what).getMonthValue());
    out.int32(value.getDayOfMonth());
  }

  /**
   * Reads a day of any year.
   *
   * @param in the reader
   * @return the day
   * @throws XdrException if no year has it
   */
  public static MonthDay readMonthDay(ValueReader in) {
    int month = month(in);
    int day = day(in);
    try {
      return MonthDay.of(month, day);
    } catch (DateTimeException e) {
      throw new XdrException("Month " + month + " has no day " + day);
    }
  }

  /**
   * Writes a date.
   *
   * @param out the writer
   * @param value the date
   * @param what its name
   */
  public static void writeLocalDate(ValueWriter out, LocalDate value, String what) {
    out.int32(out.present(value, what).getYear());
    out.int32(value.getMonthValue());
    out.int32(value.getDayOfMonth());
  }

  /**
   * Reads a date.
   *
   * @param in the reader
   * @return the date
   * @throws XdrException if there is no such day
   */
  public static LocalDate readLocalDate(ValueReader in) {
    int year = year(in);
    int month = month(in);
    int day = day(in);
    try {
      return LocalDate.of(year, month, day);
    } catch (DateTimeException e) {
      throw new XdrException("Month " + month + " of the year " + year + " has no day " + day);
    }
  }

  /**
   * Writes a number of years, months and days, as it is.
   *
   * @param out the writer
   * @param value the period
   * @param what its name
   */
  public static void writePeriod(ValueWriter out, Period value, String what) {
    out.int32(out.present(value, what).getYears());
    out.int32(value.getMonths());
    out.int32(value.getDays());
  }

  /**
   * Reads a number of years, months and days. Each of them can be any.
   *
   * @param in the reader
   * @return the period
   */
  public static Period readPeriod(ValueReader in) {
    return Period.of(in.int32(), in.int32(), in.int32());
  }

  private static int year(ValueReader in) {
    return in.ranged(Year.MIN_VALUE, Year.MAX_VALUE, "a year");
  }

  private static int month(ValueReader in) {
    return in.ranged(1, 12, "a month");
  }

  private static int day(ValueReader in) {
    return in.ranged(1, 31, "a day of a month");
  }
}
