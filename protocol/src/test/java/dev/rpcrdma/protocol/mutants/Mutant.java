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
public record Mutant(String name, List<Change> changes) {

  /**
   * One exchange.
   *
   * @param type the class, without {@code dev.rpcrdma.protocol} if it is one of that
   * @param from what stands there, exactly once
   * @param to what is put there
   */
  public record Change(String type, String from, String to) {}

  /** A bug of one exchange. */
  public Mutant(String name, String type, String from, String to) {
    this(name, List.of(new Change(type, from, to)));
  }

  /** A bug that takes one exchange more. */
  public Mutant and(String type, String from, String to) {
    List<Change> all = new ArrayList<>(changes);
    all.add(new Change(type, from, to));
    return new Mutant(name, List.copyOf(all));
  }

  @Override
  public String toString() {
    return name;
  }
}
