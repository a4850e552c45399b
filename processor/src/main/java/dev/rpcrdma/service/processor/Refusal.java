// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import javax.annotation.processing.Messager;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.tools.Diagnostic;

/** Something in the source that cannot be, and where it is. */
final class Refusal extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Element element;
  private final transient AnnotationMirror annotation;
  private final transient AnnotationValue value;

  private Refusal(Element element, AnnotationMirror annotation, AnnotationValue value,
      String message) {
    super(message, null, false, false);
    this.element = element;
    this.annotation = annotation;
    this.value = value;
  }

  /** Refuses an element. */
  static Refusal at(Element element, String message) {
    return new Refusal(element, null, null, message);
  }

  /** Refuses an annotation, or one of its values if the source gives it. */
  static Refusal at(Element element, AnnotationMirror annotation, String member, String message) {
    return new Refusal(element, annotation, Annotations.value(annotation, member).orElse(null),
        message);
  }

  /** The same refusal at another element, if it was at the first. */
  Refusal movedFrom(Element from, Element to) {
    return element.equals(from) ? at(to, getMessage()) : this;
  }

  void report(Messager messager) {
    if (annotation == null) {
      messager.printMessage(Diagnostic.Kind.ERROR, getMessage(), element);
    } else if (value == null) {
      messager.printMessage(Diagnostic.Kind.ERROR, getMessage(), element, annotation);
    } else {
      messager.printMessage(Diagnostic.Kind.ERROR, getMessage(), element, annotation, value);
    }
  }
}
