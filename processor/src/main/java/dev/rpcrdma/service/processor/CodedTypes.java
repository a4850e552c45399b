// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;

/** The types of one program that have methods of their own in its codecs, in the order in which they were met. */
final class CodedTypes {

  private final ClassName codecs;
  private final Map<String, CodedType> types = new LinkedHashMap<>();
  private final Deque<CodedType> open = new ArrayDeque<>();
  private final Set<String> codecNames = new HashSet<>();

  /**
   * Creates an empty collection.
   *
   * @param codecs the class that gets the methods
   */
  CodedTypes(ClassName codecs) {
    this.codecs = codecs;
  }

  /** All of them. */
  Collection<CodedType> all() {
    return types.values();
  }

  /** The class that gets the methods. */
  ClassName codecs() {
    return codecs;
  }

  /** A name for the methods of a type that no other has. */
  String codecName(TypeElement type) {
    String simple = String.join("", ClassName.get(type).simpleNames());
    String name = simple;
    for (int i = 2; !codecNames.add(name); i++) {
      name = simple + i;
    }
    return name;
  }

  /** A type that was met before. If it is still being read, it holds others of its kind. */
  Optional<CodedType> known(DeclaredType type) {
    CodedType known = types.get(key(type));
    if (known != null && open.contains(known)) {
      known.recursive();
    }
    return Optional.ofNullable(known);
  }

  /** How many of the types that are being read have one declaration. */
  long open(TypeElement declaration) {
    return open.stream().filter(type -> type.element().equals(declaration)).count();
  }

  /** Begins to read a type. */
  void begin(DeclaredType type, CodedType coded) {
    types.put(key(type), coded);
    open.push(coded);
  }

  /** Ends reading the type that was begun last. */
  void end() {
    open.pop();
    if (open.isEmpty()) {
      Finiteness.require(types.values());
    }
  }

  /** The type without its own annotations, but with those of its arguments: they say how the arguments cross. */
  private static String key(DeclaredType type) {
    return TypeReader.nameOf(type) + type.getTypeArguments();
  }
}
