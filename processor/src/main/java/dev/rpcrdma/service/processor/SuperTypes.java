// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import java.util.stream.Stream;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;

/** Super types of what is read, which another processor may yet generate. */
final class SuperTypes {

  private SuperTypes() {}

  /** Throws {@link Unresolved} if a super type does not exist yet: the members of the type are unknown until then. */
  static void requireResolved(TypeElement type) {
    Stream.concat(Stream.of(type.getSuperclass()), type.getInterfaces().stream()).forEach(each -> {
      if (each.getKind() == TypeKind.ERROR) {
        throw new Unresolved(each.toString(), type);
      }
      if (each.getKind() == TypeKind.DECLARED) {
        requireResolved((TypeElement) ((DeclaredType) each).asElement());
      }
    });
  }
}
