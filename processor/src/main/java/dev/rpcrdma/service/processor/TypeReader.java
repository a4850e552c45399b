// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.TypeName;
import java.util.Collection;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import javax.annotation.processing.ProcessingEnvironment;
import javax.lang.model.element.Element;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.WildcardType;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;

/** Turns the Java types of one program into {@link WireType}s. */
final class TypeReader {

  private final NamedTypeReader named;
  private final ContainerReader containers;
  private final boolean nullByDefault;

  /**
   * Creates a reader.
   *
   * @param environment of the compiler
   * @param home the package of the generated classes
   * @param codecs the class that writes and reads records
   * @param nullByDefault whether what is no primitive may be null, though nothing says so
   * @param hidden which components of a record the compiler does not show to be null
   */
  TypeReader(ProcessingEnvironment environment, PackageElement home, ClassName codecs, boolean nullByDefault,
      Function<TypeElement, Set<String>> hidden) {
    Elements elements = environment.getElementUtils();
    Types types = environment.getTypeUtils();
    this.nullByDefault = nullByDefault;
    this.named = new NamedTypeReader(this, elements, types, home, codecs, hidden);
    this.containers = new ContainerReader(this, elements, types);
  }

  /** The types seen so far that have methods of their own. */
  Collection<CodedType> coded() {
    return named.coded();
  }

  /**
   * Reads the type of a parameter or result.
   *
   * @param type the type
   * @param element bears the blame
   * @param declared what the annotations of the parameter or method say of it
   */
  WireType read(TypeMirror type, Element element, Usage declared) {
    Usage usage = declared.or(type);
    if (!isPayload(type)) {
      return used(type, element, usage);
    }
    if (usage.nullable().isPresent()) {
      throw Refusal.at(element, usage.nullable().get(), "",
          "A Payload is never null: send an empty one, or use a Buffer");
    }
    return new SequenceType(ClassNames.PAYLOAD, "payload", false,
        usage.max(element).orElse(Integer.MAX_VALUE), false);
  }

  /**
   * Reads the type of a record component.
   *
   * @param type the type
   * @param component bears the annotations
   * @param place its field, which bears the blame
   */
  WireType readComponent(TypeMirror type, Element component, Element place) {
    try {
      return used(type, component, Usage.of(component, place, place.asType(), type));
    } catch (Refusal e) {
      throw e.movedFrom(component, place);
    }
  }

  /** Reads a type argument, or the bound of a wildcard, which has only the annotations that it bears itself. */
  WireType readArgument(TypeMirror type, Element element) {
    TypeMirror bound = Wildcards.bound(type);
    return used(bound, element, Usage.of(type, bound));
  }

  /** The type of what is there, if it may be null by default alone. */
  WireType withoutDefault(WireType type) {
    return nullByDefault && type instanceof NullableType nullable ? nullable.content() : type;
  }

  static boolean isPayload(TypeMirror type) {
    return type.getKind() == TypeKind.DECLARED && nameOf(type).equals(ClassNames.PAYLOAD.toString());
  }

  /** The qualified name of a declared type. */
  static String nameOf(TypeMirror type) {
    return ((TypeElement) ((DeclaredType) type).asElement()).getQualifiedName().toString();
  }

  private WireType used(TypeMirror type, Element element, Usage usage) {
    WireType wire = readPresent(type, element, usage);
    if (usage.length().isPresent() && !isBounded(wire)) {
      throw Refusal.at(element, usage.length().get(), "", "@MaxLength has no meaning for " + TypeName.get(type));
    }
    if (usage.nullable().isEmpty()) {
      return nullByDefault && canBeNull(type, wire) ? new NullableType(wire) : wire;
    }
    if (type.getKind().isPrimitive()) {
      throw Refusal.at(element, usage.nullable().get(), "",
          "A primitive is never null: use " + TypeName.get(type).box() + " instead of " + TypeName.get(type));
    }
    if (isOptional(wire)) {
      throw Refusal.at(element, usage.nullable().get(), "",
          "An Optional is never null: leave it empty, or use @Nullable with what is in it");
    }
    return new NullableType(wire);
  }

  private static boolean canBeNull(TypeMirror type, WireType wire) {
    return !type.getKind().isPrimitive() && !isOptional(wire);
  }

  private static boolean isOptional(WireType wire) {
    return wire.javaType().toString().startsWith("java.util.Optional");
  }

  private static boolean isBounded(WireType wire) {
    return wire instanceof SequenceType || wire instanceof BoundedLibraryType || wire instanceof DataObjectType
        || wire instanceof PrimitiveArrayType || wire instanceof CollectionType || wire instanceof MapType;
  }

  /** Reads a type whose values are there. */
  private WireType readPresent(TypeMirror type, Element element, Usage usage) {
    if (type.getKind().isPrimitive()) {
      return ScalarType.of(TypeName.get(type).toString(), TypeName.get(type));
    }
    if (type.getKind() == TypeKind.ERROR) {
      throw new Unresolved(type.toString(), element);
    }
    OptionalInt max = usage.max(element);
    if (type.getKind() == TypeKind.ARRAY && ((ArrayType) type).getComponentType().getKind().isPrimitive()) {
      return array((ArrayType) type, element, usage, max.orElse(Integer.MAX_VALUE));
    }
    if (type.getKind() == TypeKind.WILDCARD) {
      TypeMirror inferior = ((WildcardType) type).getSuperBound();
      throw inferior == null ? Refusal.at(element, "? cannot cross: say what is in it")
          : Refusal.at(element, "? super " + inferior + " cannot cross: write " + inferior);
    }
    if (type.getKind() != TypeKind.DECLARED) {
      throw Refusal.at(element, TypeName.get(type) + " cannot cross: use a List, a record or a type parameter's"
          + " concrete type");
    }
    return declared((DeclaredType) type, element, max);
  }

  private static WireType array(ArrayType type, Element element, Usage usage, int max) {
    TypeName component = TypeName.get(type.getComponentType());
    Usage ofComponent = Usage.of(type.getComponentType());
    // An annotation of the declaration is one of the component type as well, if it can be (JLS §9.7.4).
    if (ofComponent.length().isPresent() && usage.length().isEmpty()
        || ofComponent.nullable().isPresent() && usage.nullable().isEmpty()) {
      throw Refusal.at(element, "An annotation before " + component + "[] is one of " + component
          + ": write it behind, " + component + " @… []");
    }
    if (type.getComponentType().getKind() == TypeKind.BYTE) {
      return new SequenceType(TypeName.get(type), "bytes", false, max, false);
    }
    return new PrimitiveArrayType(ScalarType.of(component.toString(), component), max);
  }

  private WireType declared(DeclaredType type, Element element, OptionalInt bound) {
    TypeName javaType = TypeName.get(type);
    int max = bound.orElse(Integer.MAX_VALUE);
    switch (nameOf(type)) {
      case "java.lang.String":
        return new SequenceType(javaType, "string", true, max, false);
      case "io.vertx.core.buffer.Buffer":
        return new SequenceType(javaType, "buffer", false, max, false);
      case "io.vertx.core.json.JsonObject":
        return new SequenceType(javaType, "jsonObject", true, max, false);
      case "io.vertx.core.json.JsonArray":
        return new SequenceType(javaType, "jsonArray", true, max, false);
      case "dev.rpcrdma.api.Payload":
        throw Refusal.at(element, "A Payload can only be a parameter or the whole result;"
            + " use a Buffer here");
      default:
        return javaType.isBoxedPrimitive() ? ScalarType.of(javaType.unbox().toString(), javaType)
            : LibraryTypes.of(nameOf(type)).map(WireType.class::cast)
                .or(() -> LibraryTypes.bounded(nameOf(type), bound))
                .or(() -> containers.read(type, element, max))
                .orElseGet(() -> named.read(type, element, max));
    }
  }
}
