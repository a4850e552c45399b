// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The list beside the mentions. */
final class Coverage {

  private final RequirementList list;
  private final Map<String, Set<String>> tests = new TreeMap<>();
  private final Map<String, Set<String>> labTests = new TreeMap<>();

  Coverage(RequirementList list, List<Mention> mentions) {
    this.list = list;
    for (Mention mention : mentions) {
      (mention.lab() ? labTests : tests)
          .computeIfAbsent(mention.id(), id -> new TreeSet<>()).add(mention.place());
    }
  }

  /** Where list and tests disagree, each in words that say what to do. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    for (String id : list.requirements().keySet()) {
      if (!tests.containsKey(id) && !list.exceptions().containsKey(id)) {
        problems.add(id + " has neither a test nor an exception");
      }
    }
    for (String id : list.exceptions().keySet()) {
      if (!list.requirements().containsKey(id)) {
        problems.add(id + " has an exception, and is not in the list");
      } else if (tests.containsKey(id)) {
        problems.add(id + " has an exception, and tests: " + places(id));
      }
    }
    for (Map<String, Set<String>> mentioned : List.of(tests, labTests)) {
      mentioned.forEach((id, places) -> {
        if (!list.requirements().containsKey(id)) {
          problems.add(id + " is not in the list, and is mentioned by " + String.join(", ", places));
        }
      });
    }
    return problems;
  }

  /** All of it as one table. */
  String report() {
    long tested = list.requirements().keySet().stream().filter(tests::containsKey).count();
    return "# Requirements and their tests\n\n" + list.requirements().size() + " requirements, "
        + tested + " with tests, " + list.exceptions().size() + " exceptions."
        + " Written by the build from docs/requirements.md and the tests.\n\n"
        + "| id | statement | source | tests |\n| --- | --- | --- | --- |\n"
        + list.requirements().entrySet().stream().map(entry -> "| " + entry.getKey() + " | "
            + entry.getValue().statement() + " | " + entry.getValue().source() + " | "
            + list.exceptions().getOrDefault(entry.getKey(), places(entry.getKey())) + " |\n")
            .collect(Collectors.joining());
  }

  private String places(String id) {
    List<String> places = new ArrayList<>(tests.getOrDefault(id, Set.of()));
    labTests.getOrDefault(id, Set.of()).forEach(place -> places.add(place + " (lab)"));
    return String.join(", ", places);
  }
}
