// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;

/** Turns enums into {@link EnumType}s, or into {@link NumberedEnumType}s if their constants have numbers. */
final class EnumReader {

  private final CodedTypes coded;

  /**
   * Creates a reader.
   *
   * @param coded gets the enums whose constants have numbers
   */
  EnumReader(CodedTypes coded) {
    this.coded = coded;
  }

  /** Reads an enum. */
  WireType read(DeclaredType type) {
    Optional<CodedType> known = coded.known(type);
    if (known.isPresent()) {
      return known.get();
    }
    TypeElement element = (TypeElement) type.asElement();
    List<Element> constants = element.getEnclosedElements().stream()
        .filter(e -> e.getKind() == ElementKind.ENUM_CONSTANT).<Element>map(e -> e).toList();
    if (constants.stream().noneMatch(constant -> Annotations.has(constant, AnnotationNames.XDR_VALUE))) {
      return new EnumType(ClassName.get(element),
          constants.stream().map(constant -> constant.getSimpleName().toString()).toList());
    }
    NumberedEnumType numbered = new NumberedEnumType(element, numbers(constants), coded.codecs(),
        coded.codecName(element));
    coded.begin(type, numbered);
    coded.end();
    return numbered;
  }

  private static Map<String, Integer> numbers(List<Element> constants) {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    Map<Integer, String> owners = new HashMap<>();
    for (Element constant : constants) {
      JavaNames.require(constant);
      String name = constant.getSimpleName().toString();
      AnnotationMirror annotation = Annotations.find(constant, AnnotationNames.XDR_VALUE).orElseThrow(() ->
          Refusal.at(constant, name + " has no @XdrValue, but other constants have: number all of them or none"));
      int number = Annotations.intValue(annotation, "value", 0);
      String owner = owners.putIfAbsent(number, name);
      if (owner != null) {
        throw Refusal.at(constant, annotation, "value", number + " is already the number of " + owner);
      }
      numbers.put(name, number);
    }
    return numbers;
  }
}
