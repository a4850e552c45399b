// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.TypeName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import javax.lang.model.element.Element;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Types;

/** Turns records into {@link StructType}s: each instantiation of a generic record is one of its own. */
final class StructReader {

  /** How many instantiations of one record may be nested in another: more have no end. */
  private static final int MAX_NESTED = 16;

  private final TypeReader contents;
  private final Types types;
  private final CodedTypes coded;
  private final Function<TypeElement, Set<String>> hidden;

  /**
   * Creates a reader.
   *
   * @param contents reads the types of components
   * @param types of the compiler
   * @param coded gets the structs
   * @param hidden which components of a record the compiler does not show to be null
   */
  StructReader(TypeReader contents, Types types, CodedTypes coded, Function<TypeElement, Set<String>> hidden) {
    this.contents = contents;
    this.types = types;
    this.coded = coded;
    this.hidden = hidden;
  }

  /**
   * Reads a record.
   *
   * @param type its type
   * @param user bears the blame if the record as such cannot cross
   */
  CodedType read(DeclaredType type, Element user) {
    Optional<CodedType> known = coded.known(type);
    if (known.isPresent()) {
      return known.get();
    }
    TypeElement element = (TypeElement) type.asElement();
    if (element.getRecordComponents().isEmpty()) {
      throw Refusal.at(user, "An XDR struct cannot be empty: " + TypeName.get(type));
    }
    requireShown(element, user);
    StructType struct = new StructType(element, TypeName.get(type),
        TypeName.get(Wildcards.bound(type, types)), arguments(type, user), coded.codecs(),
        coded.codecName(element));
    coded.begin(type, struct);
    List<StructType.Component> components = new ArrayList<>();
    Refusals refusals = new Refusals();
    for (RecordComponentElement component : element.getRecordComponents()) {
      refusals.of(() -> component(type, component)).ifPresent(components::add);
    }
    refusals.check();
    struct.components(components);
    coded.end();
    return struct;
  }

  private void requireShown(TypeElement element, Element user) {
    Set<String> names = hidden.apply(element);
    if (!names.isEmpty()) {
      throw Refusal.at(user, "The record " + element + " comes from a class file, in which compilers before JDK 22"
          + " do not show @Nullable of " + String.join(", ", names) + ": compile by JDK 22 or newer (--release 17 is"
          + " well), compile the record together with this interface, or use a @Nullable that belongs on record"
          + " components");
    }
  }

  private List<WireType> arguments(DeclaredType type, Element user) {
    TypeElement element = (TypeElement) type.asElement();
    if (type.getTypeArguments().size() < element.getTypeParameters().size()) {
      throw Refusal.at(user, "A raw " + TypeName.get(type) + " cannot cross: say what is in it");
    }
    if (coded.open(element) > MAX_NESTED) {
      throw Refusal.at(element, element + " contains ever more types: use one with the same arguments within");
    }
    return type.getTypeArguments().stream().map(argument -> contents.readArgument(argument, user)).toList();
  }

  private StructType.Component component(DeclaredType type, RecordComponentElement component) {
    String name = component.getSimpleName().toString();
    // The compiler knows no place of the component itself, but of its field.
    Element place = ElementFilter.fieldsIn(component.getEnclosingElement().getEnclosedElements())
        .stream().filter(f -> f.getSimpleName().contentEquals(name)).findFirst()
        .<Element>map(f -> f).orElse(component);
    JavaNames.require(place);
    requireVisible(place.asType(), true, place);
    return new StructType.Component(name,
        contents.readComponent(types.asMemberOf(Wildcards.bound(type, types), place), component, place));
  }

  /** Refuses annotations that are lost when an argument takes the place of its type parameter. */
  private static void requireVisible(TypeMirror type, boolean outermost, Element place) {
    if (type.getKind() == TypeKind.TYPEVAR && !outermost && Usage.of(type).isPresent()) {
      throw Refusal.at(place, "An annotation of " + TypeName.get(type) + " within another type is not seen: write it"
          + " where " + TypeName.get(type) + " gets its argument");
    }
    if (type.getKind() == TypeKind.DECLARED) {
      ((DeclaredType) type).getTypeArguments().forEach(each -> requireVisible(each, false, place));
    }
  }
}
