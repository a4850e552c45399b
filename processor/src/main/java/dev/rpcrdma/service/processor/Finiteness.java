// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Refuses types that contain others of their kind in place. Values of such structs have no end. Values of such
 * unions may have one, but languages that hold unions in place, such as C, have no type for them.
 */
final class Finiteness {

  private Finiteness() {}

  /** Refuses the first of these types that contains itself. */
  static void require(Collection<CodedType> types) {
    for (CodedType type : types) {
      if (containsItself(type)) {
        throw Refusal.at(type.element(), type.javaType()
            + " contains another of itself: put an Optional, @Nullable or a List between");
      }
    }
  }

  private static boolean containsItself(CodedType type) {
    Set<CodedType> seen = new HashSet<>();
    Deque<CodedType> next = new ArrayDeque<>(List.of(type));
    while (!next.isEmpty()) {
      List<CodedType> contained = next.pop().contained().toList();
      if (contained.contains(type)) {
        return true;
      }
      contained.stream().filter(seen::add).forEach(next::push);
    }
    return false;
  }
}
