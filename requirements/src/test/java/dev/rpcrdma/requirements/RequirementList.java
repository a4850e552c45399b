package dev.rpcrdma.requirements;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code docs/requirements.md} says: rows of three cells that begin with an id are requirements,
 * rows of two cells are exceptions, and rows that begin with two ids joined by "to" are ranges of ids
 * that tests may mention though they are not listed.
 *
 * @param requirements by id, in the order of the list
 * @param exceptions why an id has no test, by id
 * @param elsewhere last ids of the ranges that are tolerated, by first id
 */
record RequirementList(Map<String, Requirement> requirements, Map<String, String> exceptions,
    Map<String, String> elsewhere) {

  /**
   * What must hold.
   *
   * @param statement in our words
   * @param source where it is demanded
   */
  record Requirement(String statement, String source) {}

  /** An id in any text. */
  static final Pattern ID = Pattern.compile("\\b[RP]-\\d{3}\\b");

  private static final Pattern ROW = Pattern.compile("^\\| (" + ID + ")(?: to (" + ID
      + "))? \\| ([^|]+) \\|(?: ([^|]+) \\|)?$", Pattern.MULTILINE);

  /** Reads the text of the list; an id that comes twice in one table is refused. */
  static RequirementList read(String markdown) {
    RequirementList list =
        new RequirementList(new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
    Matcher row = ROW.matcher(markdown);
    while (row.find()) {
      String id = row.group(1);
      Object before;
      if (row.group(2) != null) {
        before = list.elsewhere.put(id, row.group(2));
      } else if (row.group(4) != null) {
        before = list.requirements.put(id, new Requirement(row.group(3), row.group(4)));
      } else {
        before = list.exceptions.put(id, row.group(3));
      }
      if (before != null) {
        throw new IllegalArgumentException(id + " is in one table twice");
      }
    }
    return list;
  }

  /** Whether an id is in a range that is not listed here. */
  boolean tolerates(String id) {
    return elsewhere.entrySet().stream().anyMatch(range ->
        range.getKey().compareTo(id) <= 0 && id.compareTo(range.getValue()) <= 0);
  }
}
