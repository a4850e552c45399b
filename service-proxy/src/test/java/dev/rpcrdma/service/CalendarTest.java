// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.service.fixture.Calendar;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Dates and times. */
class CalendarTest extends TypeFamilyTest<Calendar> {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final String BERLIN_HEX = "0000000d 4575726f 70652f42 65726c69 6e000000";
  private static final LocalDate LEAP_DAY = LocalDate.of(2024, 2, 29);
  private static final LocalTime LAST = LocalTime.MAX;
  private static final ZoneOffset WEST = ZoneOffset.ofHours(-1);
  private static final String LEAP_DAY_HEX = "000007e8 00000002 0000001d";
  private static final String LAST_HEX = "0001517f 3b9ac9ff";
  private static final String WEST_HEX = "fffff1f0";

  CalendarTest() {
    super(Calendar.class, family());
  }

  private static TypeFamily<Calendar> family() {
    TypeFamily<Calendar> family = new TypeFamily<>();
    dates(family);
    times(family);
    zones(family);
    return family;
  }

  private static void dates(TypeFamily<Calendar> family) {
    family.good(1, Calendar::ofLocalDate, LEAP_DAY, LEAP_DAY_HEX)
        .good(1, Calendar::ofLocalDate, LocalDate.MIN, "c4653601 00000001 00000001")
        .good(1, Calendar::ofLocalDate, LocalDate.MAX, "3b9ac9ff 0000000c 0000001f")
        .good(7, Calendar::ofYear, Year.of(Year.MIN_VALUE), "c4653601")
        .good(8, Calendar::ofYearMonth, YearMonth.of(-1, 12), "ffffffff 0000000c")
        .good(9, Calendar::ofMonthDay, MonthDay.of(2, 29), "00000002 0000001d")
        .good(10, Calendar::ofPeriod, Period.of(Integer.MIN_VALUE, 13, -1), "80000000 0000000d ffffffff")
        .good(13, Calendar::ofDayOfWeek, DayOfWeek.SUNDAY, "00000006")
        .good(14, Calendar::ofMonth, Month.JANUARY, "00000000")
        .good(16, Calendar::ofYears, Set.of(Year.of(1)), "00000001 00000001")
        .bad(1, "000007e7 00000002 0000001d", "has no day 29")
        .bad(1, "c4653600 00000001 00000001", "is not a year")
        .bad(1, "3b9aca00 00000001 00000001", "is not a year")
        .bad(1, "000007e7 00000000 00000001", "is not a month")
        .bad(1, "000007e7 0000000d 00000001", "is not a month")
        .bad(1, "000007e7 00000001 00000000", "is not a day")
        .bad(1, "000007e7 00000001 00000020", "is not a day")
        .bad(7, "7fffffff", "is not a year")
        .bad(8, "00000000 00000000", "is not a month")
        .bad(9, "00000002 0000001e", "Month 2 has no day 30")
        .bad(13, "00000007", "no value of an enum")
        .bad(14, "0000000c", "no value of an enum");
  }

  private static void times(TypeFamily<Calendar> family) {
    family.good(2, Calendar::ofLocalTime, LAST, LAST_HEX)
        .good(2, Calendar::ofLocalTime, LocalTime.MIDNIGHT, "00000000 00000000")
        .good(3, Calendar::ofLocalDateTime, LocalDateTime.of(LEAP_DAY, LAST), LEAP_DAY_HEX + " " + LAST_HEX)
        .good(4, Calendar::ofOffsetTime, OffsetTime.of(LAST, WEST), LAST_HEX + " " + WEST_HEX)
        .good(5, Calendar::ofOffsetDateTime, OffsetDateTime.of(LEAP_DAY, LAST, WEST),
            LEAP_DAY_HEX + " " + LAST_HEX + " " + WEST_HEX)
        .good(5, Calendar::ofOffsetDateTime, OffsetDateTime.MAX,
            "3b9ac9ff 0000000c 0000001f 0001517f 3b9ac9ff ffff02e0")
        .bad(2, "00015180 00000000", "is not a second of the day")
        .bad(2, "ffffffff 00000000", "is not a second of the day")
        .bad(2, "00000000 3b9aca00", "is not a number of nanoseconds")
        .bad(3, "000007e7 00000002 0000001d 00000000 00000000", "has no day 29")
        .bad(4, "00000000 00000000 0000fd21", "is not an offset")
        .bad(5, "000007e8 00000002 0000001d 00000000 00000000 80000000", "is not an offset");
  }

  private static void zones(TypeFamily<Calendar> family) {
    // 2:30 is there twice on the last Sunday of October, with either offset.
    String twice = "000007e7 0000000a 0000001d 00002328 00000000 ";
    LocalDateTime autumn = LocalDateTime.of(2023, 10, 29, 2, 30);
    family.good(11, Calendar::ofZoneId, BERLIN, BERLIN_HEX)
        .good(11, Calendar::ofZoneId, ZoneOffset.UTC, "00000001 5a000000")
        .good(12, Calendar::ofZoneOffset, ZoneOffset.MIN, "ffff02e0")
        .good(12, Calendar::ofZoneOffset, ZoneOffset.ofTotalSeconds(1), "00000001")
        .good(6, Calendar::ofZonedDateTime, ZonedDateTime.ofLocal(autumn, BERLIN, ZoneOffset.ofHours(2)),
            twice + "00001c20 " + BERLIN_HEX)
        .good(6, Calendar::ofZonedDateTime, ZonedDateTime.ofLocal(autumn, BERLIN, ZoneOffset.ofHours(1)),
            twice + "00000e10 " + BERLIN_HEX)
        .good(15, Calendar::ofZones, List.of(BERLIN), "00000001 " + BERLIN_HEX)
        .bad(11, "00000003 612f6200", "\"a/b\" is no time zone")
        .bad(11, "00000000", "\"\" is no time zone")
        .bad(11, "00000005 2b32353a 30300000", "is no time zone")
        .bad(11, "00000041" + "61".repeat(65) + "000000", "exceeds its bound of 64")
        .bad(12, "ffff02df", "is not an offset")
        .bad(12, "0000fd21", "is not an offset")
        .bad(6, twice + "00000000 " + BERLIN_HEX, "Europe/Berlin does not have the offset Z at 2023-10-29T02:30")
        // 2:30 is not there on the last Sunday of March.
        .bad(6, "000007e7 00000003 0000001a 00002328 00000000 00000e10 " + BERLIN_HEX, "does not have the offset")
        .bad(6, "3b9ac9ff 0000000c 0000001f 0001517f 3b9ac9ff 00000000 " + BERLIN_HEX, "does not have the offset")
        .bad(6, twice + "00000e10 00000001 41000000", "is no time zone");
  }

  /** So many that there would be no room for them if the least size of one were taken for larger than it is. */
  @Test
  void manyFit() throws Throwable {
    OffsetDateTime start = OffsetDateTime.of(LEAP_DAY, LocalTime.MIDNIGHT, ZoneOffset.UTC);
    List<Calendar.Moment> moments = Collections.nCopies(99, new Calendar.Moment(LEAP_DAY, LAST,
        LocalDateTime.of(LEAP_DAY, LAST), OffsetTime.of(LAST, WEST), start, start.toZonedDateTime(), Year.of(1),
        YearMonth.of(1, 1), MonthDay.of(1, 1), Period.ZERO, WEST));
    assertThat(onVertx.await(() -> program.ofMoments(moments))).isEqualTo(moments);
    assertThat(caller.lastCall()).hasSize(4 + 99 * (12 + 8 + 20 + 12 + 24 + 32 + 4 + 8 + 8 + 12 + 4));
  }

  @Test
  void nullIsNamed() {
    assertThatThrownBy(() -> onVertx.await(() -> program.ofZonedDateTime(null)))
        .isInstanceOf(NullPointerException.class).hasMessage("value must not be null");
    assertThatThrownBy(() -> onVertx.await(() -> program.ofLocalTime(null)))
        .isInstanceOf(NullPointerException.class).hasMessage("value must not be null");
  }

  @Test
  void sizesAreKnown() throws Throwable {
    onVertx.await(() -> program.ofLocalDate(LEAP_DAY));
    // A failure takes more than any time.
    assertThat(caller.lastRequest().replyBound()).isEqualTo(ReplyBound.of(784));
  }
}
