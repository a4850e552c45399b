package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.TypeName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Types;

/** Turns records into {@link StructType}s. */
final class StructReader {

  private final TypeReader contents;
  private final Types types;
  private final ClassName codecs;
  private final Map<String, CodedType> coded = new LinkedHashMap<>();
  private final Deque<CodedType> open = new ArrayDeque<>();
  private final Set<String> codecNames = new HashSet<>();

  /**
   * Creates a reader.
   *
   * @param contents reads the types of components
   * @param types of the compiler
   * @param codecs the class that writes and reads records
   */
  StructReader(TypeReader contents, Types types, ClassName codecs) {
    this.contents = contents;
    this.types = types;
    this.codecs = codecs;
  }

  Collection<CodedType> coded() {
    return coded.values();
  }

  /**
   * Reads a record.
   *
   * @param type its type
   * @param user bears the blame if the record as such cannot cross
   */
  WireType read(DeclaredType type, Element user) {
    TypeElement element = (TypeElement) type.asElement();
    CodedType known = coded.get(key(type));
    if (known != null) {
      if (open.contains(known)) {
        known.recursive();
      }
      return known;
    }
    StructType struct = new StructType(element, TypeName.get(type), codecs, codecName(element));
    coded.put(key(type), struct);
    open.push(struct);
    List<StructType.Component> components = new ArrayList<>();
    for (RecordComponentElement component : element.getRecordComponents()) {
      components.add(component(type, component));
    }
    struct.components(components);
    open.pop();
    if (components.isEmpty()) {
      throw Refusal.at(user, "An XDR struct cannot be empty: " + struct.javaType());
    }
    if (open.isEmpty()) {
      Finiteness.require(coded.values());
    }
    return struct;
  }

  private StructType.Component component(DeclaredType type, RecordComponentElement component) {
    String name = component.getSimpleName().toString();
    // The compiler knows no place of the component itself, but of its field.
    Element place = ElementFilter.fieldsIn(component.getEnclosingElement().getEnclosedElements())
        .stream().filter(f -> f.getSimpleName().contentEquals(name)).findFirst()
        .<Element>map(f -> f).orElse(component);
    return new StructType.Component(name,
        contents.readComponent(types.asMemberOf(type, place), component, place));
  }

  /** The type without its own annotations, but with those of its arguments: they say how the arguments cross. */
  private static String key(DeclaredType type) {
    return TypeReader.nameOf(type) + type.getTypeArguments();
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
