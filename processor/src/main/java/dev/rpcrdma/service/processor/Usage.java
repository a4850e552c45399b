// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import java.util.Optional;
import java.util.OptionalInt;
import javax.lang.model.AnnotatedConstruct;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;

/**
 * What annotations say of a type at one of the places where it is used.
 *
 * @param length the {@code @MaxLength}
 * @param nullable an annotation called {@code Nullable}, whoever's it is
 */
record Usage(Optional<AnnotationMirror> length, Optional<AnnotationMirror> nullable) {

  private static final String NULLABLE = "Nullable";

  /** What annotations say of an element or a type: the first of them that says something. */
  static Usage of(AnnotatedConstruct... annotated) {
    Usage usage = new Usage(Optional.empty(), Optional.empty());
    for (AnnotatedConstruct each : annotated) {
      usage = usage.or(Annotations.find(each, AnnotationNames.MAX_LENGTH), Annotations.findSimple(each, NULLABLE));
    }
    return usage;
  }

  /** Whether they say something. */
  boolean isPresent() {
    return length.isPresent() || nullable.isPresent();
  }

  /** This, and what the annotations of a type say where this says nothing. */
  Usage or(AnnotatedConstruct type) {
    return or(Annotations.find(type, AnnotationNames.MAX_LENGTH), Annotations.findSimple(type, NULLABLE));
  }

  private Usage or(Optional<AnnotationMirror> otherLength, Optional<AnnotationMirror> otherNullable) {
    return new Usage(length.or(() -> otherLength), nullable.or(() -> otherNullable));
  }

  /**
   * The bound.
   *
   * @param element bears the blame if it is none
   */
  OptionalInt max(Element element) {
    if (length.isEmpty()) {
      return OptionalInt.empty();
    }
    int max = Annotations.intValue(length.get(), "value", 0);
    if (max < 0) {
      throw Refusal.at(element, length.get(), "value", "A length cannot be negative");
    }
    return OptionalInt.of(max);
  }
}
