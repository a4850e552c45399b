// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;

/** What a method of a service of the event bus may return, and the interfaces of the objects that its methods make. */
final class ProxyGenRules implements ResultRules {

  static final String SERVICE = "io.vertx.codegen.annotations.ProxyGen";
  static final String IGNORE = "io.vertx.codegen.annotations.ProxyIgnore";
  static final String CLOSE = "io.vertx.codegen.annotations.ProxyClose";
  private static final String FLUENT = "io.vertx.codegen.annotations.Fluent";

  private final Elements elements;
  private final Set<TypeElement> objects = new LinkedHashSet<>();

  ProxyGenRules(Elements elements) {
    this.elements = elements;
  }

  /** The interfaces of objects that were met so far. */
  Set<TypeElement> objects() {
    return objects;
  }

  /** Nothing, or what the method was called on. */
  @Override
  public boolean isOneWay(TypeMirror returned) {
    return returned.getKind() == TypeKind.VOID || isService(returned);
  }

  @Override
  public Optional<WireType> object(TypeMirror content) {
    if (!isService(content)) {
      return Optional.empty();
    }
    TypeElement type = (TypeElement) ((DeclaredType) content).asElement();
    objects.add(type);
    Optional<ExecutableElement> closing = ElementFilter.methodsIn(elements.getAllMembers(type)).stream()
        .filter(method -> Annotations.find(method, CLOSE).isPresent()).findFirst();
    return Optional.of(new NullableType(new ObjectType(ClassName.get(type), closing)));
  }

  /** Refuses a closing method that the library cannot call by itself, as it does for idle objects. */
  static void checkClosing(ExecutableElement method, Element owner) {
    if (Annotations.find(method, CLOSE).isEmpty()) {
      return;
    }
    if (!method.getParameters().isEmpty()) {
      throw Refusal.at(owner, method.getSimpleName() + " has @ProxyClose and parameters: omit the parameters, as"
          + " objects that are idle are closed without any");
    }
    ThrownTypes.checkUnchecked(method, owner);
  }

  private static boolean isService(TypeMirror type) {
    return type.getKind() == TypeKind.DECLARED
        && Annotations.find(((DeclaredType) type).asElement(), SERVICE).isPresent();
  }

  /** Refuses what returns a service that it does not say it was called on. */
  static void checkFluent(ExecutableElement method, Element owner) {
    if (isService(method.getReturnType()) && Annotations.find(method, FLUENT).isEmpty()) {
      throw Refusal.at(owner, method.getSimpleName() + " returns a service: have it return a Future of it, or say by"
          + " @Fluent that it returns what it is called on");
    }
  }
}
