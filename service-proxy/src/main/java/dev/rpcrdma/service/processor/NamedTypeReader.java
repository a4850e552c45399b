package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.TypeName;
import java.util.Collection;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;

/** Turns the application's own types into {@link WireType}s: records, enums and data objects. */
final class NamedTypeReader {

  private static final String DATA_OBJECT = "io.vertx.codegen.annotations.DataObject";

  private final Elements elements;
  private final Types types;
  private final PackageElement home;
  private final StructReader structs;

  /**
   * Creates a reader.
   *
   * @param contents reads the types of components
   * @param elements of the compiler
   * @param types of the compiler
   * @param home the package of the generated classes
   * @param codecs the class that writes and reads these types
   */
  NamedTypeReader(TypeReader contents, Elements elements, Types types, PackageElement home, ClassName codecs) {
    this.elements = elements;
    this.types = types;
    this.home = home;
    this.structs = new StructReader(contents, types, codecs);
  }

  /** The types seen so far that have methods of their own. */
  Collection<CodedType> coded() {
    return structs.coded();
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
    boolean isRecord = declaration.getKind() == ElementKind.RECORD;
    boolean isEnum = declaration.getKind() == ElementKind.ENUM;
    boolean isDataObject = !isRecord && !isEnum
        && Annotations.find(declaration, DATA_OBJECT).isPresent();
    if (is(type, "java.util.Collection") || is(type, "java.util.Map")) {
      throw Refusal.at(element, TypeName.get(type) + " cannot cross: use its interface, such as List, Set, Map,"
          + " SortedSet or SortedMap");
    }
    if (!isRecord && !isEnum && !isDataObject) {
      throw Refusal.at(element, TypeName.get(type) + " cannot cross: use a record, an enum, a data object or one"
          + " of the types in the manual");
    }
    if (!declaration.getTypeParameters().isEmpty()) {
      throw Refusal.at(element, "A generic type cannot cross: " + TypeName.get(type));
    }
    if (!accessible(declaration)) {
      throw Refusal.at(element, "Generated code in " + home + " cannot use " + TypeName.get(type)
          + ": make it public");
    }
    if (isEnum) {
      return new EnumType(ClassName.get(declaration), declaration.getEnclosedElements().stream()
          .filter(e -> e.getKind() == ElementKind.ENUM_CONSTANT)
          .map(e -> e.getSimpleName().toString()).toList());
    }
    return isRecord ? structs.read(type, element) : dataObject(declaration, element, max);
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
