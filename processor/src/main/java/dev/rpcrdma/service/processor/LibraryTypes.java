// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;

/** The classes of the Java library that cross by a codec of their own. */
final class LibraryTypes {

  private static final ClassName IDENTIFIERS = codec("Identifiers");
  private static final ClassName BIG_NUMBERS = codec("BigNumbers");
  private static final ClassName OPTIONALS = codec("Optionals");
  private static final ClassName TIMES = codec("Times");
  private static final ClassName DATES = codec("Dates");
  private static final ClassName ZONES = codec("Zones");
  private static final ClassName DATE_TIMES = codec("DateTimes");

  private static final Map<String, LibraryType> BY_NAME = new HashMap<>();

  static {
    add(UUID.class, IDENTIFIERS, 16, 16, "opaque %s[16]", "uuid");
    // The length word, 1 to 4096 bytes of the unscaled value, padded, and the scale.
    add(BigDecimal.class, BIG_NUMBERS, 4 + 4 + 4, 4 + 4096 + 4, LibraryStruct.BIG_DECIMAL);
    add(OptionalInt.class, OPTIONALS, 4, 8, "int *%s", "int_optional");
    add(OptionalLong.class, OPTIONALS, 4, 12, "hyper *%s", "hyper_optional");
    add(OptionalDouble.class, OPTIONALS, 4, 12, "double *%s", "double_optional");
    add(Instant.class, TIMES, 12, 12, LibraryStruct.INSTANT);
    add(Duration.class, TIMES, 12, 12, LibraryStruct.DURATION);
    add(LocalTime.class, TIMES, 8, 8, LibraryStruct.LOCAL_TIME);
    add(OffsetTime.class, TIMES, 12, 12, LibraryStruct.LOCAL_TIME, LibraryStruct.OFFSET_TIME);
    add(Year.class, DATES, 4, 4, "int %s", "int");
    add(YearMonth.class, DATES, 8, 8, LibraryStruct.YEAR_MONTH);
    add(MonthDay.class, DATES, 8, 8, LibraryStruct.MONTH_DAY);
    add(LocalDate.class, DATES, 12, 12, LibraryStruct.LOCAL_DATE);
    add(Period.class, DATES, 12, 12, LibraryStruct.PERIOD);
    add(ZoneOffset.class, ZONES, 4, 4, "int %s", "int");
    // No zone has an empty name.
    add(ZoneId.class, ZONES, 4 + 4, 4 + 64, "string %s<64>", "text_64");
    add(LocalDateTime.class, DATE_TIMES, 20, 20, LibraryStruct.LOCAL_DATE, LibraryStruct.LOCAL_TIME,
        LibraryStruct.LOCAL_DATE_TIME);
    add(OffsetDateTime.class, DATE_TIMES, 24, 24, LibraryStruct.LOCAL_DATE, LibraryStruct.LOCAL_TIME,
        LibraryStruct.LOCAL_DATE_TIME, LibraryStruct.OFFSET_DATE_TIME);
    add(ZonedDateTime.class, DATE_TIMES, 24 + 4 + 4, 24 + 4 + 64, LibraryStruct.LOCAL_DATE, LibraryStruct.LOCAL_TIME,
        LibraryStruct.LOCAL_DATE_TIME, LibraryStruct.ZONED_DATE_TIME);
  }

  private LibraryTypes() {}

  /**
   * The type of a class whose length can be bounded; empty if it is none of these.
   *
   * @param qualifiedName the class's name
   * @param max the bound that the source gives; empty if it gives none
   */
  static Optional<WireType> bounded(String qualifiedName, OptionalInt max) {
    switch (qualifiedName) {
      case "java.net.URI":
        return Optional.of(new BoundedLibraryType(ClassName.get(URI.class), IDENTIFIERS, true,
            max.orElse(Integer.MAX_VALUE)));
      case "java.math.BigInteger":
        return Optional.of(new BoundedLibraryType(ClassName.get(BigInteger.class), BIG_NUMBERS, false,
            max.orElse(4096)));
      default:
        return Optional.empty();
    }
  }

  /** The type of a class; empty if it is none of these. */
  static Optional<LibraryType> of(String qualifiedName) {
    return Optional.ofNullable(BY_NAME.get(qualifiedName));
  }

  private static ClassName codec(String name) {
    return ClassName.get("dev.rpcrdma.service.runtime", name);
  }

  private static void add(Class<?> type, ClassName codec, int least, int most, String declared, String xdrName) {
    BY_NAME.put(type.getName(),
        new LibraryType(ClassName.get(type), codec, least, most, declared, xdrName, List.of()));
  }

  /** The last of the structs is the type's own; it needs those before it. */
  private static void add(Class<?> type, ClassName codec, int least, int most, LibraryStruct... structs) {
    String name = structs[structs.length - 1].structName();
    BY_NAME.put(type.getName(),
        new LibraryType(ClassName.get(type), codec, least, most, name + " %s", name, List.of(structs)));
  }
}
