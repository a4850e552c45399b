// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code docs/requirements.md} says: rows of three cells that begin with an id are requirements, and
 * rows of two cells that begin with an id, or with a range of them, are exceptions.
 *
 * @param requirements by id, in the order of the list
 * @param exceptions why an id has no test, by id
 */
record RequirementList(Map<String, Requirement> requirements, Map<String, String> exceptions) {

  /**
   * What must hold.
   *
   * @param statement in our words
   * @param source where it is demanded
   */
  record Requirement(String statement, String source) {}

  private static final Pattern ROW = Pattern.compile("^\\| (" + Ids.ID + "(?:" + Ids.JOINT + Ids.ID
      + ")?) \\| ([^|]+) \\|(?: ([^|]+) \\|)?$", Pattern.MULTILINE);

  /** Reads the text of the list; an id that comes twice in one table is refused. */
  static RequirementList read(String markdown) {
    RequirementList list = new RequirementList(new LinkedHashMap<>(), new LinkedHashMap<>());
    Matcher row = ROW.matcher(markdown);
    while (row.find()) {
      List<String> ids = Ids.in(row.group(1));
      if (row.group(3) != null && ids.size() > 1) {
        throw new IllegalArgumentException("Each requirement has a row of its own: " + row.group(1));
      }
      for (String id : ids) {
        Object before = row.group(3) == null ? list.exceptions.put(id, row.group(2))
            : list.requirements.put(id, new Requirement(row.group(2), row.group(3)));
        if (before != null) {
          throw new IllegalArgumentException(id + " is in one table twice");
        }
      }
    }
    return list;
  }
}
