// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.ExecutableType;
import javax.lang.model.util.Types;

/** Abstract methods of an interface that were read so far. */
final class MetMethods {

  private final TypeElement type;
  private final Types types;
  private final List<ExecutableElement> met = new ArrayList<>();

  MetMethods(TypeElement type, Types types) {
    this.type = type;
    this.types = types;
  }

  /** Adds a method; refuses a method of two super interfaces, as both are one method of the proxy. */
  void add(ExecutableElement method) {
    Optional<ExecutableElement> other = met.stream().filter(each -> isSame(each, method)).findFirst();
    met.add(method);
    other.ifPresent(twin -> {
      throw Refusal.at(type, type.getSimpleName() + " inherits " + method + " from " + method.getEnclosingElement()
          + " and from " + twin.getEnclosingElement() + ": declare it in " + type.getSimpleName() + " again");
    });
  }

  private boolean isSame(ExecutableElement one, ExecutableElement other) {
    return one.getSimpleName().equals(other.getSimpleName())
        && (types.isSubsignature(seen(one), seen(other)) || types.isSubsignature(seen(other), seen(one)));
  }

  private ExecutableType seen(ExecutableElement method) {
    return (ExecutableType) types.asMemberOf((DeclaredType) type.asType(), method);
  }
}
