package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.TypeName;
import dev.rpcrdma.service.MaxLength;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalInt;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;

/** Turns the Java types of one program into {@link WireType}s. */
final class TypeReader {

  private final NamedTypeReader named;
  private final ContainerReader containers;

  /**
   * Creates a reader.
   *
   * @param elements of the compiler
   * @param types of the compiler
   * @param home the package of the generated classes
   * @param codecs the class that writes and reads records
   */
  TypeReader(Elements elements, Types types, PackageElement home, ClassName codecs) {
    this.named = new NamedTypeReader(this, elements, types, home, codecs);
    this.containers = new ContainerReader(this);
  }

  /** The types seen so far that have methods of their own. */
  Collection<CodedType> coded() {
    return named.coded();
  }

  /**
   * Reads the type of a parameter or result.
   *
   * @param type the type
   * @param element what has it; bears the blame, and possibly {@link MaxLength}
   */
  WireType read(TypeMirror type, Element element) {
    Optional<AnnotationMirror> length = Annotations.find(element, MaxLength.class);
    if (isPayload(type)) {
      return new SequenceType(ClassNames.PAYLOAD, "payload", false,
          maxLength(length, element).orElse(Integer.MAX_VALUE), false);
    }
    return read(type, element, element, length);
  }

  /**
   * Reads the type of a record component.
   *
   * @param type the type
   * @param component bears the annotations
   * @param place bears the blame
   */
  WireType readComponent(TypeMirror type, Element component, Element place) {
    try {
      return read(type, component, place, Annotations.find(component, MaxLength.class));
    } catch (Refusal e) {
      throw e.movedFrom(component, place);
    }
  }

  /** Reads a type argument, which has only the annotations that it bears itself. */
  WireType readArgument(TypeMirror type, Element element) {
    return read(type, element, element, Optional.empty());
  }

  static boolean isPayload(TypeMirror type) {
    return type.getKind() == TypeKind.DECLARED && nameOf(type).equals(ClassNames.PAYLOAD.toString());
  }

  /** The qualified name of a declared type. */
  static String nameOf(TypeMirror type) {
    return ((TypeElement) ((DeclaredType) type).asElement()).getQualifiedName().toString();
  }

  private WireType read(TypeMirror type, Element annotated, Element place, Optional<AnnotationMirror> length) {
    WireType wire = read(type, place, maxLength(length, annotated));
    if (length.isPresent() && !isBounded(wire)) {
      throw Refusal.at(annotated, length.get(), "", "@MaxLength has no meaning for " + TypeName.get(type));
    }
    return wire;
  }

  private static boolean isBounded(WireType wire) {
    return wire instanceof SequenceType || wire instanceof BoundedLibraryType || wire instanceof DataObjectType
        || wire instanceof CollectionType || wire instanceof MapType;
  }

  private static OptionalInt maxLength(Optional<AnnotationMirror> annotation, Element element) {
    if (annotation.isEmpty()) {
      return OptionalInt.empty();
    }
    int max = Annotations.intValue(annotation.get(), "value", 0);
    if (max < 0) {
      throw Refusal.at(element, annotation.get(), "value", "A length cannot be negative");
    }
    return OptionalInt.of(max);
  }

  private WireType read(TypeMirror type, Element element, OptionalInt max) {
    if (type.getKind().isPrimitive()) {
      return ScalarType.of(TypeName.get(type).toString(), TypeName.get(type));
    }
    if (type.getKind() == TypeKind.ERROR) {
      throw new Unresolved(type.toString());
    }
    if (type.getKind() == TypeKind.ARRAY
        && ((ArrayType) type).getComponentType().getKind() == TypeKind.BYTE) {
      return new SequenceType(TypeName.get(type), "bytes", false, max.orElse(Integer.MAX_VALUE), false);
    }
    if (type.getKind() != TypeKind.DECLARED) {
      throw Refusal.at(element, TypeName.get(type) + " cannot cross: use a List, a record or a type parameter's"
          + " concrete type");
    }
    return declared((DeclaredType) type, element, max);
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
