// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.signature;

import java.util.List;

/** What who has changed the API is told. */
final class Verdict {

  /** Records anew. */
  static final String COMMAND = "mvn -q test -pl requirements -am -Dtest=ApiTest"
      + " -Dsurefire.failIfNoSpecifiedTests=false -Dapi.record=true";

  private static final String RECORD = "Then record the API as it is, and commit that with the change:\n\n    "
      + COMMAND + "\n";

  private Verdict() {}

  /** The text for all changes; empty if there are none. */
  static String of(List<Change> changes) {
    List<Change> breaks = changes.stream().filter(each -> each.effect() == Change.Effect.BREAKS).toList();
    List<Change> adds = changes.stream().filter(each -> each.effect() == Change.Effect.ADDS).toList();
    if (changes.isEmpty()) {
      return "";
    } else if (breaks.isEmpty()) {
      return "\nThe API has grown, and breaks nobody. If others are to rely on this from now on, it is well:\n"
          + listed(adds) + "\nIf users see it, CHANGELOG.md lists it. " + RECORD;
    }
    return "\nThese changes of the API break code that calls it, or implements it:\n" + listed(breaks)
        + (adds.isEmpty() ? "" : "\nThese only add to it:\n" + listed(adds))
        + "\ndocs/versions.md says which version may do that: before 1.0 a minor one, from then on a major one, when"
        + "\nit was deprecated for a minor version at least. If no way leads around it, CHANGELOG.md says what users"
        + "\nhave to do. " + RECORD;
  }

  private static String listed(List<Change> changes) {
    StringBuilder text = new StringBuilder();
    String type = "";
    for (Change change : changes) {
      if (!change.type().equals(type)) {
        type = change.type();
        text.append("  ").append(type).append('\n');
      }
      text.append(change);
    }
    return text.toString();
  }
}
