// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.TypeName;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.util.Types;

/** Methods that each proxy has besides those of its interface. */
final class ProxyMembers {

  private ProxyMembers() {}

  /** Refuses a method that a proxy cannot have, as another method of the proxy is in its way. */
  static void check(TypeElement type, ExecutableElement method, Types types) {
    Set<Modifier> modifiers = method.getModifiers();
    // A class does not inherit static and private methods of interfaces.
    if (!method.getEnclosingElement().getKind().isInterface() || modifiers.contains(Modifier.STATIC)
        || modifiers.contains(Modifier.PRIVATE)) {
      return;
    }
    Element owner = method.getEnclosingElement().equals(type) ? method : type;
    String name = method.getSimpleName().toString();
    List<TypeName> parameters =
        method.getParameters().stream().map(each -> TypeName.get(types.erasure(each.asType()))).toList();
    if (parameters.isEmpty() && (name.equals("finalize") || name.equals("clone") && !canBeClone(method))) {
      throw Refusal.at(owner, name + " is a method of each object: name it otherwise");
    }
    if (name.equals("with")
        && parameters.equals(List.of(TypeName.get(type.asType()), ClassNames.CALL_OPTIONS))) {
      throw Refusal.at(owner, "with is a static method of the proxy, with the same parameters: name it otherwise");
    }
  }

  /** Returns whether a proxy's method can override that of Object, which wins over a default method. */
  private static boolean canBeClone(ExecutableElement method) {
    TypeKind returned = method.getReturnType().getKind();
    return method.getModifiers().contains(Modifier.ABSTRACT) && !returned.isPrimitive() && returned != TypeKind.VOID;
  }
}
