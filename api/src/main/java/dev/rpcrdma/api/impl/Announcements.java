package dev.rpcrdma.api.impl;

import java.util.HashSet;
import java.util.Set;

/** Which programs the peer has said it serves on a connection, in the reverse direction. */
final class Announcements {

  /** One version of a program. */
  record Announced(int program, int version) {}

  private Set<Announced> programs = Set.of();

  boolean includes(int program, int version) {
    return programs.contains(new Announced(program, version));
  }

  /** A new announcement replaces the one before. */
  void replace(Set<Announced> all) {
    programs = new HashSet<>(all);
  }
}
