// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.mutants;

import java.util.ArrayList;
import java.util.List;

/**
 * A bug that somebody could make: the production code with some text exchanged for other text. It is
 * compiled when the hunt for it begins, and is part of nothing else.
 *
 * @param name what is wrong
 * @param changes what makes it so
 */
record Mutant(String name, List<Change> changes) {

  /**
   * One exchange.
   *
   * @param type the class, without {@code dev.rpcrdma.protocol}
   * @param from what stands there, exactly once
   * @param to what is put there
   */
  record Change(String type, String from, String to) {}

  Mutant(String name, String type, String from, String to) {
    this(name, List.of(new Change(type, from, to)));
  }

  Mutant and(String type, String from, String to) {
    List<Change> all = new ArrayList<>(changes);
    all.add(new Change(type, from, to));
    return new Mutant(name, List.copyOf(all));
  }

  @Override
  public String toString() {
    return name;
  }
}
