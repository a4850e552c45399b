// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;

/** Turns sealed interfaces of records into {@link UnionType}s. */
final class UnionReader {

  private final StructReader structs;
  private final CodedTypes coded;

  /**
   * Creates a reader.
   *
   * @param structs reads the records
   * @param coded gets the unions
   */
  UnionReader(StructReader structs, CodedTypes coded) {
    this.structs = structs;
    this.coded = coded;
  }

  /**
   * Reads a sealed interface.
   *
   * @param type its type
   * @param user bears the blame if the records cannot cross
   */
  WireType read(DeclaredType type, Element user) {
    Optional<CodedType> known = coded.known(type);
    if (known.isPresent()) {
      return known.get();
    }
    TypeElement element = (TypeElement) type.asElement();
    UnionType union = new UnionType(element, coded.codecs(), coded.codecName(element));
    coded.begin(type, union);
    List<UnionType.Arm> arms = new ArrayList<>();
    Map<Integer, TypeElement> owners = new HashMap<>();
    for (TypeMirror permitted : element.getPermittedSubclasses()) {
      arms.add(arm(element, (DeclaredType) permitted, owners, user));
    }
    union.arms(arms);
    coded.end();
    return union;
  }

  private UnionType.Arm arm(TypeElement union, DeclaredType type, Map<Integer, TypeElement> owners, Element user) {
    if (type.getKind() == TypeKind.ERROR) {
      throw new Unresolved(type.toString(), union);
    }
    TypeElement element = (TypeElement) type.asElement();
    if (element.getKind() != ElementKind.RECORD || !element.getTypeParameters().isEmpty()) {
      throw Refusal.at(element, element + " is permitted by " + union + ", so it must be a record that is not generic,"
          + " if " + union + " shall cross");
    }
    AnnotationMirror annotation = Annotations.find(element, AnnotationNames.XDR_CASE).orElseThrow(() ->
        Refusal.at(element, element + " is permitted by " + union + ", so it needs an @XdrCase with a number"));
    int discriminant = Annotations.intValue(annotation, "value", 0);
    TypeElement owner = owners.putIfAbsent(discriminant, element);
    if (owner != null) {
      throw Refusal.at(element, annotation, "value", discriminant + " is already the case of " + owner);
    }
    Optional<CodedType> struct = element.getRecordComponents().isEmpty() ? Optional.empty()
        : Optional.of(structs.read(type, user));
    return new UnionType.Arm(discriminant, ClassName.get(element), struct);
  }
}
