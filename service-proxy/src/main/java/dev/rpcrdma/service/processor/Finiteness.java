package dev.rpcrdma.service.processor;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Refuses types whose values have no end, because each contains another of its kind. */
final class Finiteness {

  private Finiteness() {}

  /** Refuses the first of these types that has no end and contains itself. */
  static void require(Collection<CodedType> types) {
    Set<CodedType> finite = new HashSet<>();
    boolean grown = true;
    while (grown) {
      grown = false;
      for (CodedType type : types) {
        grown |= type.isFinite(finite) && finite.add(type);
      }
    }
    for (CodedType type : types) {
      if (!finite.contains(type) && containsItself(type, finite)) {
        throw Refusal.at(type.element(), type.javaType()
            + " always contains another of itself: put an Optional, @Nullable or a List between");
      }
    }
  }

  private static boolean containsItself(CodedType type, Set<CodedType> finite) {
    Set<CodedType> seen = new HashSet<>(finite);
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
