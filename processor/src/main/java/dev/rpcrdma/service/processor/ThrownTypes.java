// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;

/** Exceptions that methods declare. */
final class ThrownTypes {

  private static final Set<String> UNCHECKED = Set.of("java.lang.RuntimeException", "java.lang.Error");
  private static final Set<String> CAUGHT = Set.of("java.lang.Exception", "java.lang.Error");

  private ThrownTypes() {}

  /** Refuses exceptions that generated code can neither catch nor throw where a call has an outcome. */
  static void checkCaught(ExecutableElement method, Element owner) {
    check(method, owner, CAUGHT);
  }

  /** Refuses checked exceptions, which have no way to a caller where a call has no outcome. */
  static void checkUnchecked(ExecutableElement method, Element owner) {
    check(method, owner, UNCHECKED);
  }

  private static void check(ExecutableElement method, Element owner, Set<String> allowed) {
    for (TypeMirror thrown : method.getThrownTypes()) {
      if (!extendsOneOf(method, thrown, allowed)) {
        throw Refusal.at(owner, method.getSimpleName() + " throws " + thrown + ", of which its caller cannot hear:"
            + " omit the exception, and fail the Future of a result instead");
      }
    }
  }

  private static boolean extendsOneOf(ExecutableElement method, TypeMirror thrown, Set<String> classes) {
    if (thrown.getKind() == TypeKind.ERROR) {
      throw new Unresolved(thrown.toString(), method);
    }
    for (TypeMirror each = thrown; each.getKind() == TypeKind.DECLARED;
        each = ((TypeElement) ((DeclaredType) each).asElement()).getSuperclass()) {
      if (classes.contains(TypeReader.nameOf(each))) {
        return true;
      }
    }
    return false;
  }
}
