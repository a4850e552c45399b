// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.annotation.processing.Messager;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.tools.Diagnostic;

/** Something in the source that cannot be, and where it is; others may come with it. */
final class Refusal extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Element element;
  private final transient AnnotationMirror annotation;
  private final transient AnnotationValue value;
  private final transient List<Refusal> others;

  private Refusal(Element element, AnnotationMirror annotation, AnnotationValue value, String message,
      List<Refusal> others) {
    super(message, null, false, false);
    this.element = element;
    this.annotation = annotation;
    this.value = value;
    this.others = others;
  }

  /** Refuses an element. */
  static Refusal at(Element element, String message) {
    return new Refusal(element, null, null, message, List.of());
  }

  /** Refuses an annotation, or one of its values if the source gives it. */
  static Refusal at(Element element, AnnotationMirror annotation, String member, String message) {
    return new Refusal(element, annotation, Annotations.value(annotation, member).orElse(null), message, List.of());
  }

  /** Several of them, at least one, as one. */
  static Refusal all(List<Refusal> refusals) {
    return refusals.get(0).with(refusals.subList(1, refusals.size()));
  }

  private Refusal with(List<Refusal> more) {
    return new Refusal(element, annotation, value, getMessage(),
        Stream.concat(others.stream(), more.stream()).toList());
  }

  /** The same refusal at another element, if it was at the first. */
  Refusal movedFrom(Element from, Element to) {
    Refusal moved = element.equals(from) ? at(to, getMessage())
        : new Refusal(element, annotation, value, getMessage(), List.of());
    return moved.with(others.stream().map(each -> each.movedFrom(from, to)).toList());
  }

  /** Returns this refusal; if its element has no source, at another element, with the name of its own. */
  Refusal placed(Predicate<Element> hasSource, Element nearest) {
    Refusal placed = hasSource.test(element) ? new Refusal(element, annotation, value, getMessage(), List.of())
        : new Refusal(nearest, null, null, describe(element) + ": " + getMessage(), List.of());
    return placed.with(others.stream().map(each -> each.placed(hasSource, nearest)).toList());
  }

  /** Returns an element with the name of its owner. */
  static String describe(Element element) {
    return switch (element.getKind()) {
      case PARAMETER -> describe(element.getEnclosingElement()) + ", parameter " + element;
      case METHOD, FIELD, ENUM_CONSTANT, RECORD_COMPONENT -> element.getEnclosingElement() + "." + element;
      default -> element.toString();
    };
  }

  void report(Messager messager) {
    if (annotation == null) {
      messager.printMessage(Diagnostic.Kind.ERROR, getMessage(), element);
    } else if (value == null) {
      messager.printMessage(Diagnostic.Kind.ERROR, getMessage(), element, annotation);
    } else {
      messager.printMessage(Diagnostic.Kind.ERROR, getMessage(), element, annotation, value);
    }
    others.forEach(other -> other.report(messager));
  }
}
