// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.TypeName;
import java.util.Collection;
import java.util.Set;
import java.util.function.Function;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;

/** Turns the application's own types into {@link WireType}s: records, enums, sealed interfaces and data objects. */
final class NamedTypeReader {

  private static final String DATA_OBJECT = "io.vertx.codegen.annotations.DataObject";

  private final Elements elements;
  private final Types types;
  private final PackageElement home;
  private final CodedTypes coded;
  private final StructReader structs;
  private final UnionReader unions;
  private final EnumReader enums;

  /**
   * Creates a reader.
   *
   * @param contents reads the types of components
   * @param elements of the compiler
   * @param types of the compiler
   * @param home the package of the generated classes
   * @param codecs the class that writes and reads these types
   * @param hidden which components of a record the compiler does not show to be null
   */
  NamedTypeReader(TypeReader contents, Elements elements, Types types, PackageElement home, ClassName codecs,
      Function<TypeElement, Set<String>> hidden) {
    this.elements = elements;
    this.types = types;
    this.home = home;
    this.coded = new CodedTypes(codecs);
    this.structs = new StructReader(contents, types, coded, hidden);
    this.unions = new UnionReader(structs, coded);
    this.enums = new EnumReader(coded);
  }

  /** The types seen so far that have methods of their own. */
  Collection<CodedType> coded() {
    return coded.all();
  }

  /**
   * Reads a type.
   *
   * @param type the type
   * @param element bears the blame
   * @param max the bound of a data object's text
   */
  WireType read(DeclaredType type, Element element, int max) {
    TypeElement declaration = (TypeElement) type.asElement();
    SuperTypes.requireResolved(declaration);
    requireKnown(type, declaration, element);
    if (declaration.getKind() != ElementKind.RECORD && !declaration.getTypeParameters().isEmpty()) {
      throw Refusal.at(element, "A generic type can only cross if it is a record: " + TypeName.get(type));
    }
    if (!accessible(declaration)) {
      throw Refusal.at(element, "Generated code in " + home + " cannot use " + TypeName.get(type)
          + ": make it public");
    }
    switch (declaration.getKind()) {
      case RECORD:
        return structs.read(type, element);
      case ENUM:
        return enums.read(type);
      default:
        return isUnion(declaration) ? union(type, declaration, element) : dataObject(declaration, element, max);
    }
  }

  private void requireKnown(DeclaredType type, TypeElement declaration, Element element) {
    if (is(type, "java.util.Collection") || is(type, "java.util.Map")) {
      throw Refusal.at(element, TypeName.get(type) + " cannot cross: use its interface, such as List, Set, Map,"
          + " SortedSet or SortedMap");
    }
    boolean known = declaration.getKind() == ElementKind.RECORD || declaration.getKind() == ElementKind.ENUM
        || isUnion(declaration) || Annotations.find(declaration, DATA_OBJECT).isPresent();
    if (!known) {
      throw Refusal.at(element, TypeName.get(type) + " cannot cross: use a record, an enum, a sealed interface of"
          + " records, a data object or one of the types in docs/service-proxy.md");
    }
  }

  private static boolean isUnion(TypeElement declaration) {
    return declaration.getKind() == ElementKind.INTERFACE
        && declaration.getModifiers().contains(Modifier.SEALED);
  }

  private WireType union(DeclaredType type, TypeElement declaration, Element element) {
    for (TypeMirror permitted : declaration.getPermittedSubclasses()) {
      if (permitted.getKind() != TypeKind.ERROR && !accessible((TypeElement) ((DeclaredType) permitted).asElement())) {
        throw Refusal.at(element, "Generated code in " + home + " cannot use " + permitted + ": make it public");
      }
    }
    return unions.read(type, element);
  }

  private boolean is(DeclaredType type, String interfaceName) {
    return types.isSubtype(types.erasure(type), types.erasure(elements.getTypeElement(interfaceName).asType()));
  }

  private boolean accessible(TypeElement type) {
    boolean atHome = elements.getPackageOf(type).equals(home);
    Element e = type;
    while (e.getKind() != ElementKind.PACKAGE) {
      boolean open = atHome ? !e.getModifiers().contains(Modifier.PRIVATE)
          : e.getModifiers().contains(Modifier.PUBLIC);
      if (!open) {
        return false;
      }
      e = e.getEnclosingElement();
    }
    return true;
  }

  private WireType dataObject(TypeElement type, Element element, int max) {
    boolean made = !type.getModifiers().contains(Modifier.ABSTRACT)
        && ElementFilter.constructorsIn(type.getEnclosedElements()).stream()
        .anyMatch(c -> c.getModifiers().contains(Modifier.PUBLIC) && c.getParameters().size() == 1
            && isJsonObject(c.getParameters().get(0).asType()));
    boolean told = ElementFilter.methodsIn(elements.getAllMembers(type)).stream()
        .anyMatch(m -> m.getSimpleName().contentEquals("toJson") && m.getParameters().isEmpty()
            && isJsonObject(m.getReturnType()));
    if (!made || !told) {
      throw Refusal.at(element, "The data object " + type
          + " needs a public constructor with a JsonObject and a method toJson()");
    }
    return new DataObjectType(ClassName.get(type), max);
  }

  private static boolean isJsonObject(TypeMirror type) {
    return type.toString().equals(ClassNames.JSON_OBJECT.toString());
  }
}
