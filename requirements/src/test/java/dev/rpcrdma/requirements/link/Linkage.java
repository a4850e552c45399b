// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.link;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Looks up each class, field and method of Vert.x and Netty that classes name, as the JVM does when it links them
 * (JVMS §5.4.3), and each method that they have to have because they implement something.
 */
final class Linkage {

  /** These there must be; other packages of Vert.x are companions, which are not asked for where there are none. */
  private static final String ALWAYS = "io/(?:vertx/core|netty)/.*";
  private static final String JUDGED = "io/(?:vertx|netty)/.*";

  private final ClassFiles product;
  private final ClassFiles all;
  private final Map<String, Boolean> packages = new HashMap<>();

  /**
   * Links classes against others.
   *
   * @param product the classes that are linked
   * @param all those, and what there is beside them
   */
  Linkage(ClassFiles product, ClassFiles all) {
    this.product = product;
    this.all = all;
  }

  /** What is missing, with those of the product that need it. */
  Map<String, Set<String>> missing() {
    Map<String, Set<String>> missing = new TreeMap<>();
    for (ClassNode node : product.all()) {
      Stream.concat(new HashSet<>(Reference.of(node)).stream().filter(this::isJudged).filter(each -> !isThere(each))
          .map(Reference::toString), unimplemented(node).stream())
          .forEach(each -> missing.computeIfAbsent(each, first -> new TreeSet<>()).add(node.name.replace('/', '.')));
    }
    return missing;
  }

  private boolean isJudged(Reference reference) {
    String owner = reference.owner();
    if (owner.matches(JUDGED)) {
      return owner.matches(ALWAYS)
          || packages.computeIfAbsent(owner.substring(0, owner.lastIndexOf('/')), all::hasPackage);
    }
    // What a class has from its supertypes it calls as its own.
    return product.has(owner) && isWhole(owner);
  }

  /** Whether all supertypes of a class can be had: there are other libraries than those of the release. */
  private boolean isWhole(String type) {
    return all.find(type).map(node -> Stream.concat(Stream.ofNullable(node.superName), node.interfaces.stream())
        .allMatch(this::isWhole)).orElse(false);
  }

  private boolean isThere(Reference reference) {
    Optional<ClassNode> owner = all.find(reference.owner());
    if (owner.isEmpty() || reference.member() == null) {
      return owner.isPresent();
    }
    return reference.descriptor().startsWith("(")
        ? supertypes(owner.get()).anyMatch(type -> method(type, reference.member(), reference.descriptor()).isPresent())
        : supertypes(owner.get()).anyMatch(type -> hasField(type, reference));
  }

  private static Optional<MethodNode> method(ClassNode type, String name, String descriptor) {
    return type.methods.stream().filter(each -> each.name.equals(name) && each.desc.equals(descriptor)
        && ((each.access & Opcodes.ACC_PRIVATE) == 0 || !type.name.matches(JUDGED))).findFirst();
  }

  private static boolean hasField(ClassNode type, Reference reference) {
    for (FieldNode field : type.fields) {
      if (field.name.equals(reference.member()) && field.desc.equals(reference.descriptor())) {
        return true;
      }
    }
    return false;
  }

  /** A class, and all that it extends and implements; an interface has the methods of objects. */
  private Stream<ClassNode> supertypes(ClassNode type) {
    return Stream.concat(Stream.of(type), Stream.concat(Stream.ofNullable(type.superName), type.interfaces.stream())
        .flatMap(name -> all.find(name).stream()).flatMap(this::supertypes));
  }

  /** Methods that the supertypes of a class have without code, and for which it has none. */
  private Set<String> unimplemented(ClassNode node) {
    if (Reference.isAbstract(node.access)) {
      return Set.of();
    }
    Set<ClassNode> types = supertypes(node).collect(Collectors.toSet());
    Set<String> implemented = types.stream().flatMap(type -> type.methods.stream())
        .filter(each -> !Reference.isAbstract(each.access)).map(each -> each.name + each.desc)
        .collect(Collectors.toSet());
    return types.stream().filter(type -> type.name.matches(JUDGED))
        .flatMap(type -> type.methods.stream().filter(each -> Reference.isAbstract(each.access))
            .filter(each -> !implemented.contains(each.name + each.desc))
            .map(each -> "code for " + new Reference(type.name, each.name, each.desc)))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
