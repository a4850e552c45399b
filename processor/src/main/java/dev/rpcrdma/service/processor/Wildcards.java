// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.WildcardType;
import javax.lang.model.util.Types;

/** Type arguments {@code ? extends X}, which cross as X. Compilers of Kotlin write them for {@code List<X>}. */
final class Wildcards {

  private Wildcards() {}

  /** Returns X for {@code ? extends X}, and any other type as it is. */
  static TypeMirror bound(TypeMirror type) {
    return type.getKind() == TypeKind.WILDCARD && ((WildcardType) type).getExtendsBound() != null
        ? ((WildcardType) type).getExtendsBound() : type;
  }

  /** Returns a type with the bounds of its wildcards: the type of an object that a variable of the type holds. */
  static DeclaredType bound(DeclaredType type, Types types) {
    return type.getTypeArguments().isEmpty() ? type : types.getDeclaredType((TypeElement) type.asElement(),
        type.getTypeArguments().stream().map(Wildcards::bound).toArray(TypeMirror[]::new));
  }
}
