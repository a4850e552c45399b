// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import java.util.HashSet;
import java.util.Set;

/** The names in scope of one generated method, so that none hides another. */
final class Scope {

  private final Set<String> taken = new HashSet<>();
  private String writer = "out";
  private String reader = "in";

  /** Takes a name that is given, such as a parameter's. */
  Scope taking(String name) {
    taken.add(name);
    return this;
  }

  /** Settles what the writer and the reader are called, once all given names are taken. */
  Scope settled() {
    writer = fresh("out");
    reader = fresh("in");
    return this;
  }

  /** A name like the one suggested that is not in scope yet. */
  String fresh(String suggestion) {
    String name = suggestion;
    for (int i = 2; !taken.add(name); i++) {
      name = suggestion + i;
    }
    return name;
  }

  /** The variable that holds the {@code ValueWriter}. */
  String writer() {
    return writer;
  }

  /** The variable that holds the {@code ValueReader}. */
  String reader() {
    return reader;
  }
}
