// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.TypeName;
import dev.rpcrdma.service.processor.CollectionType.Kind;
import java.util.Optional;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;

/** Turns the collections, maps and optionals of the Java library into {@link WireType}s. */
final class ContainerReader {

  private final TypeReader contents;
  private final Elements elements;
  private final Types types;

  /**
   * Creates a reader.
   *
   * @param contents reads the types of what is in them
   * @param elements of the compiler
   * @param types of the compiler
   */
  ContainerReader(TypeReader contents, Elements elements, Types types) {
    this.contents = contents;
    this.elements = elements;
    this.types = types;
  }

  /**
   * Reads a type.
   *
   * @param type the type
   * @param element bears the blame
   * @param max the bound of what is in it
   * @return empty if it is none of these
   */
  Optional<WireType> read(DeclaredType type, Element element, int max) {
    TypeName javaType = TypeName.get(type);
    switch (TypeReader.nameOf(type)) {
      case "java.util.List":
      case "java.util.Collection":
        return Optional.of(new CollectionType(javaType, Kind.LIST, argument(type, 0, element), max));
      case "java.util.Set":
        return Optional.of(new CollectionType(javaType, Kind.SET, key(type, element), max));
      case "java.util.SortedSet":
      case "java.util.NavigableSet":
        return Optional.of(new CollectionType(javaType, Kind.SORTED_SET, sortedKey(type, element), max));
      case "java.util.Map":
        return Optional.of(new MapType(javaType, false, key(type, element), argument(type, 1, element), max));
      case "java.util.SortedMap":
      case "java.util.NavigableMap":
        return Optional.of(new MapType(javaType, true, sortedKey(type, element), argument(type, 1, element), max));
      case "java.util.Optional":
        return Optional.of(new OptionalType(javaType, present(argument(type, 0, element), type, element)));
      default:
        return Optional.empty();
    }
  }

  private WireType argument(DeclaredType type, int index, Element element) {
    if (type.getTypeArguments().size() <= index) {
      throw Refusal.at(element, "A raw " + TypeName.get(type) + " cannot cross: say what is in it");
    }
    return contents.readArgument(type.getTypeArguments().get(index), element);
  }

  private WireType key(DeclaredType type, Element element) {
    WireType key = present(argument(type, 0, element), type, element);
    if (key instanceof PrimitiveArrayType) {
      throw Refusal.at(element, key.javaType() + " equals only itself: use a List in " + TypeName.get(type));
    }
    if (key instanceof SequenceType && ((SequenceType) key).method().equals("bytes")) {
      throw Refusal.at(element, "byte[] equals only itself: use a Buffer in " + TypeName.get(type));
    }
    return key;
  }

  private WireType sortedKey(DeclaredType type, Element element) {
    WireType key = key(type, element);
    TypeMirror keyType = Wildcards.bound(type.getTypeArguments().get(0));
    TypeElement comparable = elements.getTypeElement("java.lang.Comparable");
    if (!types.isAssignable(keyType, types.getDeclaredType(comparable, types.getWildcardType(null, keyType)))) {
      throw Refusal.at(element, key.javaType() + " has no natural order: make it Comparable, or use a "
          + (type.asElement().getSimpleName().toString().endsWith("Map") ? "Map" : "Set"));
    }
    return key;
  }

  private WireType present(WireType read, DeclaredType type, Element element) {
    WireType content = contents.withoutDefault(read);
    if (content instanceof NullableType) {
      throw Refusal.at(element, type.asElement().getSimpleName() + " has no null "
          + (type.asElement().getSimpleName().toString().endsWith("Map") ? "keys" : "in it") + ": omit @Nullable");
    }
    return content;
  }
}
