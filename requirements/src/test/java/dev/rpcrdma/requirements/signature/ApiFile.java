// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.signature;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The form that signatures are recorded in: a line for each type, and indented ones for what it has. */
final class ApiFile {

  private static final String INDENT = "  ";
  private static final Pattern NAME =
      Pattern.compile("(?:^| )(?:class|interface|@interface|enum|record) ([\\w.$]+)");

  private ApiFile() {}

  static String write(SortedMap<String, TypeText> types) {
    StringBuilder text = new StringBuilder();
    types.values().forEach(type -> {
      text.append(type.declaration()).append('\n');
      type.lines().forEach(line -> text.append(INDENT).append(line).append('\n'));
    });
    return text.toString();
  }

  static SortedMap<String, TypeText> read(String text) {
    SortedMap<String, TypeText> types = new TreeMap<>();
    String declaration = null;
    List<String> lines = new ArrayList<>();
    for (String line : (text + "\n.").split("\n")) {
      if (line.startsWith(INDENT)) {
        lines.add(line.strip());
      } else if (!line.isEmpty()) {
        if (declaration != null) {
          types.put(name(declaration), new TypeText(declaration, lines));
        }
        declaration = line;
        lines.clear();
      }
    }
    return types;
  }

  private static String name(String declaration) {
    Matcher matcher = NAME.matcher(declaration);
    if (!matcher.find()) {
      throw new IllegalArgumentException("No declaration of a type: " + declaration);
    }
    return matcher.group(1);
  }
}
