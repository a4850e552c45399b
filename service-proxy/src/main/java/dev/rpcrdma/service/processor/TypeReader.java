package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.TypeName;
import dev.rpcrdma.service.MaxLength;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;

/** Turns the Java types of one program into {@link WireType}s. */
final class TypeReader {

  private static final String DATA_OBJECT = "io.vertx.codegen.annotations.DataObject";

  private final Elements elements;
  private final PackageElement home;
  private final ClassName codecs;
  private final Map<String, StructType> structs = new LinkedHashMap<>();
  private final Deque<StructType> open = new ArrayDeque<>();
  private final Set<String> codecNames = new HashSet<>();

  /**
   * Creates a reader.
   *
   * @param elements of the compiler
   * @param home the package of the generated classes
   * @param codecs the class that writes and reads records
   */
  TypeReader(Elements elements, PackageElement home, ClassName codecs) {
    this.elements = elements;
    this.home = home;
    this.codecs = codecs;
  }

  /** The records seen so far. */
  Collection<StructType> structs() {
    return structs.values();
  }

  /**
   * Reads the type of a parameter or result.
   *
   * @param type the type
   * @param element what has it; bears the blame, and possibly {@link MaxLength}
   * @param payloadAllowed whether it may be a payload
   */
  WireType read(TypeMirror type, Element element, boolean payloadAllowed) {
    int max = maxLength(element);
    return bounded(payloadAllowed && isPayload(type)
        ? new SequenceType(ClassNames.PAYLOAD, "payload", false, max, false)
        : read(type, element, max), type, element);
  }

  private StructType.Component component(RecordComponentElement component) {
    String name = component.getSimpleName().toString();
    // The compiler knows no place of the component itself, but of its field.
    Element place = ElementFilter.fieldsIn(component.getEnclosingElement().getEnclosedElements())
        .stream().filter(f -> f.getSimpleName().contentEquals(name)).findFirst()
        .<Element>map(f -> f).orElse(component);
    try {
      TypeMirror type = component.asType();
      return new StructType.Component(name,
          bounded(read(type, place, maxLength(component)), type, component));
    } catch (Refusal e) {
      throw e.movedFrom(component, place);
    }
  }

  private static WireType bounded(WireType wire, TypeMirror type, Element element) {
    boolean unbounded = wire instanceof ScalarType || wire instanceof EnumType
        || wire instanceof StructType || wire instanceof OptionalType;
    Annotations.find(element, MaxLength.class).filter(a -> unbounded).ifPresent(annotation -> {
      throw Refusal.at(element, annotation, "", "@MaxLength has no meaning for " + type);
    });
    return wire;
  }

  static boolean isPayload(TypeMirror type) {
    return type.getKind() == TypeKind.DECLARED && nameOf(type).equals("dev.rpcrdma.api.Payload");
  }

  /** The qualified name of a declared type. */
  static String nameOf(TypeMirror type) {
    return ((TypeElement) ((DeclaredType) type).asElement()).getQualifiedName().toString();
  }

  private static int maxLength(Element element) {
    Optional<AnnotationMirror> annotation = Annotations.find(element, MaxLength.class);
    int max = annotation.map(a -> Annotations.intValue(a, "value", 0)).orElse(Integer.MAX_VALUE);
    if (max < 0) {
      throw Refusal.at(element, annotation.get(), "value", "A length cannot be negative");
    }
    return max;
  }

  private WireType read(TypeMirror type, Element element, int max) {
    if (type.getKind().isPrimitive()) {
      return scalar(type.toString(), TypeName.get(type));
    }
    if (type.getKind() == TypeKind.ERROR) {
      throw new Unresolved(type.toString());
    }
    if (type.getKind() == TypeKind.ARRAY
        && ((ArrayType) type).getComponentType().getKind() == TypeKind.BYTE) {
      return new SequenceType(TypeName.get(type), "bytes", false, max, false);
    }
    if (type.getKind() != TypeKind.DECLARED) {
      throw Refusal.at(element, type + " cannot cross: use a List, a record or a type parameter's"
          + " concrete type");
    }
    return declared((DeclaredType) type, element, max);
  }

  private WireType declared(DeclaredType type, Element element, int max) {
    TypeName javaType = TypeName.get(type);
    switch (nameOf(type)) {
      case "java.lang.String":
        return new SequenceType(javaType, "string", true, max, false);
      case "io.vertx.core.buffer.Buffer":
        return new SequenceType(javaType, "buffer", false, max, false);
      case "io.vertx.core.json.JsonObject":
        return new SequenceType(javaType, "jsonObject", true, max, false);
      case "io.vertx.core.json.JsonArray":
        return new SequenceType(javaType, "jsonArray", true, max, false);
      case "java.time.Instant":
        return new ScalarType(javaType, "instant", "instant", 12, "instant", true);
      case "java.time.Duration":
        return new ScalarType(javaType, "duration", "duration", 12, "duration", true);
      case "java.util.List":
        return new CollectionType(javaType, "list", argument(type, 0, element), max);
      case "java.util.Set":
        return new CollectionType(javaType, "set", key(type, element), max);
      case "java.util.Map":
        return new MapType(javaType, key(type, element), argument(type, 1, element), max);
      case "java.util.Optional":
        return new OptionalType(javaType, argument(type, 0, element));
      case "dev.rpcrdma.api.Payload":
        throw Refusal.at(element, "A Payload can only be a parameter or the whole result;"
            + " use a Buffer here");
      default:
        return javaType.isBoxedPrimitive() ? scalar(javaType.unbox().toString(), javaType)
            : named(type, element, max);
    }
  }

  private WireType argument(DeclaredType type, int index, Element element) {
    if (type.getTypeArguments().size() <= index) {
      throw Refusal.at(element, "A raw " + type + " cannot cross: say what is in it");
    }
    return read(type.getTypeArguments().get(index), element, Integer.MAX_VALUE);
  }

  private WireType key(DeclaredType type, Element element) {
    WireType key = argument(type, 0, element);
    if (key instanceof SequenceType && ((SequenceType) key).method().equals("bytes")) {
      throw Refusal.at(element, "A byte[] equals only itself: use a Buffer in " + type);
    }
    return key;
  }

  private static ScalarType scalar(String primitive, TypeName javaType) {
    switch (primitive) {
      case "boolean":
        return new ScalarType(javaType, "bool", "bool", 4, "bool", false);
      case "byte":
        return new ScalarType(javaType, "int32", "int8", 4, "int", false);
      case "short":
        return new ScalarType(javaType, "int32", "int16", 4, "int", false);
      case "char":
        return new ScalarType(javaType, "int32", "char16", 4, "unsigned int", false);
      case "int":
        return new ScalarType(javaType, "int32", "int32", 4, "int", false);
      case "long":
        return new ScalarType(javaType, "int64", "int64", 8, "hyper", false);
      case "float":
        return new ScalarType(javaType, "float32", "float32", 4, "float", false);
      case "double":
        return new ScalarType(javaType, "float64", "float64", 8, "double", false);
      default:
        throw new IllegalArgumentException(primitive);
    }
  }

  private WireType named(DeclaredType type, Element element, int max) {
    TypeElement declaration = (TypeElement) type.asElement();
    boolean isRecord = declaration.getKind() == ElementKind.RECORD;
    boolean isEnum = declaration.getKind() == ElementKind.ENUM;
    boolean isDataObject = !isRecord && !isEnum
        && Annotations.find(declaration, DATA_OBJECT).isPresent();
    if (!isRecord && !isEnum && !isDataObject) {
      throw Refusal.at(element, type + " cannot cross: use a record, an enum, a data object or one"
          + " of the types in the manual");
    }
    if (!declaration.getTypeParameters().isEmpty()) {
      throw Refusal.at(element, "A generic type cannot cross: " + type);
    }
    if (!accessible(declaration)) {
      throw Refusal.at(element, "Generated code in " + home + " cannot use " + type
          + ": make it public");
    }
    if (isEnum) {
      return new EnumType(ClassName.get(declaration), declaration.getEnclosedElements().stream()
          .filter(e -> e.getKind() == ElementKind.ENUM_CONSTANT)
          .map(e -> e.getSimpleName().toString()).toList());
    }
    return isRecord ? struct(declaration, element) : dataObject(declaration, element, max);
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

  private StructType struct(TypeElement type, Element user) {
    StructType known = structs.get(type.getQualifiedName().toString());
    if (known != null) {
      if (open.contains(known)) {
        known.recursive();
      }
      return known;
    }
    StructType struct = new StructType(type, codecs, codecName(type));
    structs.put(type.getQualifiedName().toString(), struct);
    open.push(struct);
    List<StructType.Component> components = new ArrayList<>();
    for (RecordComponentElement component : type.getRecordComponents()) {
      components.add(component(component));
    }
    struct.components(components);
    open.pop();
    if (components.isEmpty()) {
      throw Refusal.at(user, "An XDR struct cannot be empty: " + type);
    }
    if (open.isEmpty()) {
      structs.values().forEach(this::requireFinite);
    }
    return struct;
  }

  /** A record that holds one of its own kind, without a list or an optional between, has no end. */
  private void requireFinite(StructType struct) {
    Set<StructType> seen = new HashSet<>();
    Deque<StructType> next = new ArrayDeque<>(List.of(struct));
    while (!next.isEmpty()) {
      for (StructType.Component component : next.pop().components()) {
        if (component.type() == struct) {
          throw Refusal.at(struct.element(), struct.javaType()
              + " always contains another of itself: put an Optional or a List between");
        }
        if (component.type() instanceof StructType && seen.add((StructType) component.type())) {
          next.push((StructType) component.type());
        }
      }
    }
  }

  private String codecName(TypeElement type) {
    String simple = String.join("", ClassName.get(type).simpleNames());
    String name = simple;
    for (int i = 2; !codecNames.add(name); i++) {
      name = simple + i;
    }
    return name;
  }
}
