// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import java.util.Map;
import java.util.Optional;
import javax.lang.model.AnnotatedConstruct;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;

/** Finds annotations as they are in the source, without loading classes that they name. */
final class Annotations {

  private Annotations() {}

  static Optional<AnnotationMirror> find(AnnotatedConstruct element, String annotation) {
    for (AnnotationMirror mirror : element.getAnnotationMirrors()) {
      TypeElement type = (TypeElement) mirror.getAnnotationType().asElement();
      if (type.getQualifiedName().contentEquals(annotation)) {
        return Optional.of(mirror);
      }
    }
    return Optional.empty();
  }

  /** Finds an annotation whose simple name is given. */
  static Optional<AnnotationMirror> findSimple(AnnotatedConstruct element, String simpleName) {
    return element.getAnnotationMirrors().stream()
        .filter(m -> m.getAnnotationType().asElement().getSimpleName().contentEquals(simpleName))
        .findFirst().map(m -> m);
  }

  static boolean has(Element element, String annotation) {
    return find(element, annotation).isPresent();
  }

  /** What the source says for a member; empty if it leaves it to the default. */
  static Optional<AnnotationValue> value(AnnotationMirror mirror, String member) {
    for (Map.Entry<? extends ExecutableElement, ? extends AnnotationValue> entry
        : mirror.getElementValues().entrySet()) {
      if (entry.getKey().getSimpleName().contentEquals(member)) {
        return Optional.of(entry.getValue());
      }
    }
    return Optional.empty();
  }

  static int intValue(AnnotationMirror mirror, String member, int otherwise) {
    return value(mirror, member).map(v -> v.getValue() instanceof Integer
        ? (Integer) v.getValue() : otherwise).orElse(otherwise);
  }
}
