package dev.rpcrdma.service.processor;

import com.palantir.javapoet.TypeName;
import java.util.Optional;
import javax.lang.model.element.Element;
import javax.lang.model.type.DeclaredType;

/** Turns the collections, maps and optionals of the Java library into {@link WireType}s. */
final class ContainerReader {

  private final TypeReader contents;

  /**
   * Creates a reader.
   *
   * @param contents reads the types of what is in them
   */
  ContainerReader(TypeReader contents) {
    this.contents = contents;
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
        return Optional.of(new CollectionType(javaType, "list", argument(type, 0, element), max));
      case "java.util.Set":
        return Optional.of(new CollectionType(javaType, "set", key(type, element), max));
      case "java.util.Map":
        return Optional.of(new MapType(javaType, key(type, element), argument(type, 1, element), max));
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
    if (key instanceof SequenceType && ((SequenceType) key).method().equals("bytes")) {
      throw Refusal.at(element, "A byte[] equals only itself: use a Buffer in " + TypeName.get(type));
    }
    return key;
  }

  private static WireType present(WireType content, DeclaredType type, Element element) {
    if (content instanceof NullableType) {
      throw Refusal.at(element, "A " + type.asElement().getSimpleName() + " has no null "
          + (type.asElement().getSimpleName().contentEquals("Map") ? "keys" : "in it") + ": omit @Nullable");
    }
    return content;
  }
}
