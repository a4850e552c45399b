// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.TypeName;
import java.util.List;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;

/** Methods that each proxy has besides those of its interface. */
final class ProxyMembers {

  private ProxyMembers() {}

  /** Refuses a method that a proxy cannot have, as another method of the proxy is in its way. */
  static void check(TypeElement type, ExecutableElement method) {
    if (!method.getEnclosingElement().getKind().isInterface()) {
      return;
    }
    Element owner = method.getEnclosingElement().equals(type) ? method : type;
    String name = method.getSimpleName().toString();
    List<TypeName> parameters = method.getParameters().stream().map(each -> TypeName.get(each.asType())).toList();
    if (name.equals("finalize") && parameters.isEmpty()) {
      throw Refusal.at(owner, "finalize is a method of each object: name it otherwise");
    }
    if (name.equals("with") && !method.getModifiers().contains(Modifier.STATIC)
        && parameters.equals(List.of(TypeName.get(type.asType()), ClassNames.CALL_OPTIONS))) {
      throw Refusal.at(owner, "with is a static method of the proxy, with the same parameters: name it otherwise");
    }
  }
}
