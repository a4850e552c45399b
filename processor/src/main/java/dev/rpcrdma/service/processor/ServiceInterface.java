// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.MethodSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.util.ElementFilter;

/**
 * An interface whose methods are procedures of a program: the program's own, or that of objects which its calls make.
 *
 * @param element the interface
 * @param procedures its procedures by number
 * @param ignored its methods that are none, as they are overridden
 */
record ServiceInterface(TypeElement element, List<Procedure> procedures, List<MethodSpec> ignored) {

  /** The interface as a type. */
  ClassName type() {
    return ClassName.get(element);
  }

  /** The interface's name. */
  String name() {
    return element.getSimpleName().toString();
  }

  /** Returns the names of all methods that an implementation has, those that it inherits among them. */
  Set<String> methodNames() {
    Set<String> names = new HashSet<>();
    addNames(element, ElementFilter::methodsIn, names);
    return names;
  }

  /** Returns the names of all constants that an implementation inherits. */
  Set<String> constantNames() {
    Set<String> names = new HashSet<>();
    addNames(element, ElementFilter::fieldsIn, names);
    return names;
  }

  private static void addNames(TypeElement type, Function<List<? extends Element>, List<? extends Element>> members,
      Set<String> names) {
    members.apply(type.getEnclosedElements()).forEach(each -> names.add(each.getSimpleName().toString()));
    type.getInterfaces().forEach(each -> addNames((TypeElement) ((DeclaredType) each).asElement(), members, names));
  }

  /** The procedure that closes one. */
  Optional<Procedure> closing() {
    return procedures.stream().filter(Procedure::closes).findFirst();
  }
}
