// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.signature;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/** Finds what has changed from recorded signatures to those of now. */
final class Comparison {

  private Comparison() {}

  static List<Change> of(SortedMap<String, TypeText> recorded, SortedMap<String, TypeText> now) {
    List<Change> changes = new ArrayList<>();
    SortedSet<String> names = new TreeSet<>(recorded.keySet());
    names.addAll(now.keySet());
    for (String name : names) {
      TypeText before = recorded.get(name);
      TypeText after = now.get(name);
      if (after == null) {
        changes.add(Change.gone(name, before.declaration()));
      } else if (before == null) {
        changes.add(new Change(name, null, after.declaration(), Change.Effect.ADDS));
      } else {
        if (!before.declaration().equals(after.declaration())) {
          changes.add(Change.of(name, before.declaration(), after.declaration()));
        }
        addMembers(name, before, after, changes);
      }
    }
    return changes;
  }

  private static void addMembers(String type, TypeText before, TypeText after, List<Change> changes) {
    List<String> added = new ArrayList<>(after.lines());
    added.removeAll(before.lines());
    for (String line : before.lines()) {
      if (!after.lines().contains(line)) {
        String other = added.stream().filter(each -> key(each).equals(key(line))).findFirst().orElse(null);
        changes.add(other == null ? Change.gone(type, line) : Change.of(type, line, other));
        added.remove(other);
      }
    }
    added.forEach(line -> changes.add(Change.added(type, after.declaration(), line)));
  }

  /** What stays the same when a member changes: its kind, name, and parameters without their type arguments. */
  private static String key(String line) {
    String kind = line.substring(0, line.indexOf(' '));
    String plain = line;
    // Type arguments from the inside out.
    for (String before = ""; !plain.equals(before);) {
      before = plain;
      plain = plain.replaceAll("<[^<>]*>", "");
    }
    return switch (kind) {
      case "method", "constructor" -> kind + " " + plain.replaceAll("@\\S+(\\([^)]*\\))? ", "")
          .replaceAll(".* (\\S+\\([^)]*\\)).*", "$1").replace("...", "[]");
      case "field" -> kind + " " + plain.replaceAll(" = .*", "").replaceAll(".* ", "");
      case "constant" -> kind + " " + plain.replaceAll(".* ", "");
      case "extends" -> kind;
      default -> line;
    };
  }
}
