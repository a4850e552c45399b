// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.signature;

import java.util.List;

/**
 * A type as text.
 *
 * @param declaration annotations, modifiers, kind, name, type parameters, and the components of a record
 * @param lines what it extends, implements and permits, and its members, sorted
 */
record TypeText(String declaration, List<String> lines) {

  TypeText {
    lines = lines.stream().distinct().sorted().toList();
  }
}
