// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** A struct of the XDR language for a class of the Java library. All of these names are reserved. */
enum LibraryStruct {
  INSTANT("hyper seconds", "unsigned int nanoseconds"),
  DURATION("hyper seconds", "unsigned int nanoseconds"),
  BIG_DECIMAL("opaque unscaled<4096>", "int scale"),
  YEAR_MONTH("int year", "unsigned int month"),
  MONTH_DAY("unsigned int month", "unsigned int day"),
  PERIOD("int years", "int months", "int days"),
  LOCAL_DATE("int year", "unsigned int month", "unsigned int day"),
  LOCAL_TIME("unsigned int seconds", "unsigned int nanoseconds"),
  LOCAL_DATE_TIME("local_date date", "local_time time"),
  OFFSET_TIME("local_time time", "int offset"),
  OFFSET_DATE_TIME("local_date_time local", "int offset"),
  ZONED_DATE_TIME("local_date_time local", "int offset", "string zone<64>");

  private final String[] components;

  LibraryStruct(String... components) {
    this.components = components;
  }

  /** The names of all structs. */
  static Set<String> names() {
    return Arrays.stream(values()).map(LibraryStruct::structName).collect(Collectors.toSet());
  }

  /** The struct's name. */
  String structName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The struct's definition. */
  String definition() {
    return "struct " + structName() + " {\n  " + String.join(";\n  ", components) + ";\n};";
  }
}
