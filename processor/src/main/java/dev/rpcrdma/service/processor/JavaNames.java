// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;

/** Names that generated code can write. Class files may have others, such as those that Kotlin's compiler makes. */
final class JavaNames {

  private JavaNames() {}

  /** Refuses an element whose name cannot be written. */
  static void require(Element element) {
    if (!SourceVersion.isName(element.getSimpleName())) {
      throw Refusal.at(element, element.getSimpleName() + " is no name in Java, so that generated code cannot use it:"
          + " name it otherwise; in Kotlin use Int or Long instead of UInt, ULong and other value classes");
    }
  }
}
