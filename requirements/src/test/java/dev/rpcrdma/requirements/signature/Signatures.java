// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.signature;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InnerClassNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.util.TraceSignatureVisitor;

/**
 * What others can name: public and protected types of exported packages, and their public and protected members.
 *
 * <p>What only a compiler has made is left out: synthetic members, and those of each enum and each object. A type that
 * others cannot name has its members listed with each type that extends it.
 */
final class Signatures {

  private static final Set<String> OF_OBJECT = Set.of("equals(Ljava/lang/Object;)Z", "hashCode()I",
      "toString()Ljava/lang/String;");
  /** What follows from the kind of a type. */
  private static final Set<String> IMPLIED = Set.of("java/lang/Object", "java/lang/Record", "java/lang/Enum",
      "java/lang/annotation/Annotation");

  private final Set<String> exported;
  private final Map<String, ClassNode> all = new HashMap<>();
  private final Map<String, InnerClassNode> nested = new HashMap<>();

  /**
   * Those of one module.
   *
   * @param exported names of packages
   */
  Signatures(Set<String> exported, Collection<ClassNode> classes) {
    this.exported = exported;
    for (ClassNode node : classes) {
      all.put(node.name, node);
      node.innerClasses.forEach(inner -> nested.put(inner.name, inner));
    }
  }

  /** Types by their names. */
  SortedMap<String, TypeText> types() {
    SortedMap<String, TypeText> types = new TreeMap<>();
    all.values().stream().filter(this::isListed).forEach(node -> types.put(name(node.name), text(node)));
    return types;
  }

  private boolean isListed(ClassNode node) {
    int slash = node.name.lastIndexOf('/');
    return slash > 0 && exported.contains(name(node.name.substring(0, slash))) && isVisible(node.name)
        && !node.name.endsWith("/package-info");
  }

  private boolean isVisible(String name) {
    InnerClassNode inner = nested.get(name);
    if (inner == null) {
      return (all.get(name).access & Opcodes.ACC_PUBLIC) != 0;
    }
    return inner.outerName != null && (inner.access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) != 0
        && isVisible(inner.outerName);
  }

  private static String name(String internal) {
    return internal.replace('/', '.');
  }

  // A type

  private TypeText text(ClassNode node) {
    List<String> lines = new ArrayList<>();
    // Those of an enum are the bodies of its constants.
    if (node.permittedSubclasses != null && (node.access & Opcodes.ACC_ENUM) == 0) {
      node.permittedSubclasses.stream().filter(permitted -> isListed(all.get(permitted)))
          .forEach(permitted -> lines.add("permits " + name(permitted)));
    }
    addInherited(node, lines);
    addMembers(node, node, lines);
    return new TypeText(declaration(node), lines);
  }

  private String declaration(ClassNode node) {
    int access = Optional.ofNullable(nested.get(node.name)).map(inner -> inner.access).orElse(node.access);
    String kind;
    if ((access & Opcodes.ACC_ANNOTATION) != 0) {
      kind = "@interface ";
      access &= ~(Opcodes.ACC_ABSTRACT | Opcodes.ACC_STATIC);
    } else if ((access & Opcodes.ACC_INTERFACE) != 0) {
      kind = "interface ";
      access &= ~(Opcodes.ACC_ABSTRACT | Opcodes.ACC_STATIC);
    } else if ((access & Opcodes.ACC_ENUM) != 0) {
      kind = "enum ";
      // Those that a compiler sets depend on the bodies of constants.
      access &= ~(Opcodes.ACC_ABSTRACT | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL);
    } else if (node.recordComponents != null) {
      kind = "record ";
      access &= ~(Opcodes.ACC_STATIC | Opcodes.ACC_FINAL);
    } else {
      kind = "class ";
    }
    boolean sealed = node.permittedSubclasses != null && !kind.equals("enum ");
    String generic = node.signature != null && node.signature.startsWith("<") ? signature(node).getDeclaration() : "";
    return MemberText.annotations(node.visibleAnnotations) + MemberText.modifiers(access) + (sealed ? "sealed " : "")
        + kind + name(node.name)
        + (generic.isEmpty() ? "" : generic.substring(0, MemberText.endOfTypeParameters(generic))) + components(node);
  }

  private static String components(ClassNode node) {
    if (node.recordComponents == null) {
      return "";
    }
    return "(" + String.join(", ", node.recordComponents.stream().map(part -> MemberText.type(
        part.signature == null ? part.descriptor : part.signature) + " " + part.name).toList()) + ")";
  }

  private static TraceSignatureVisitor signature(ClassNode node) {
    StringBuilder plain = new StringBuilder("L" + node.superName + ";");
    node.interfaces.forEach(each -> plain.append('L').append(each).append(';'));
    return MemberText.visit(node.access, node.signature == null ? plain.toString() : node.signature);
  }

  /** What it extends and implements, or would if all were listed. */
  private void addInherited(ClassNode node, List<String> lines) {
    List<String> parents = new ArrayList<>(node.interfaces);
    parents.add(0, node.superName);
    String declaration = signature(node).getDeclaration();
    if (declaration.startsWith("<")) {
      declaration = declaration.substring(MemberText.endOfTypeParameters(declaration));
    }
    List<String> written = parents(declaration);
    for (String parent : parents) {
      ClassNode known = all.get(parent);
      if (known != null && !isListed(known)) {
        addInherited(known, lines);
      } else if (!IMPLIED.contains(parent)) {
        String plain = name(parent);
        String type = written.stream().filter(each -> each.equals(plain) || each.startsWith(plain + "<")).findFirst()
            .orElse(plain);
        boolean extended = parent.equals(node.superName);
        lines.add((extended ? "extends " : "implements ") + type);
      }
    }
  }

  /** The parts of " extends A, B implements C": commas within angle brackets separate nothing. */
  private static List<String> parents(String clause) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    StringBuilder part = new StringBuilder();
    for (String token : clause.replace(" extends ", ",").replace(" implements ", ",").split("(?<=[<>,])|(?=[<>,])")) {
      depth += token.equals("<") ? 1 : token.equals(">") ? -1 : 0;
      if (token.equals(",") && depth == 0) {
        parts.add(part.toString().strip());
        part.setLength(0);
      } else {
        part.append(token);
      }
    }
    parts.add(part.toString().strip());
    return parts;
  }

  // Its members

  private void addMembers(ClassNode node, ClassNode from, List<String> lines) {
    boolean ofInterface = (from.access & Opcodes.ACC_INTERFACE) != 0;
    Set<String> own = new HashSet<>();
    if (node != from) {
      node.methods.stream().filter(method -> (method.access & Opcodes.ACC_SYNTHETIC) == 0)
          .forEach(method -> own.add(method.name + method.desc));
    }
    for (FieldNode field : from.fields) {
      if (isMember(node, field.access)) {
        lines.add(MemberText.of(field));
      }
    }
    for (MethodNode method : from.methods) {
      if (isMember(node, method.access) && isOwn(from, method) && !own.contains(method.name + method.desc)
          && (node == from || !method.name.equals("<init>"))) {
        lines.add(MemberText.of(method, ofInterface));
      }
    }
    List<String> parents = new ArrayList<>(from.interfaces);
    parents.add(from.superName);
    for (String parent : parents) {
      ClassNode known = all.get(parent);
      if (known != null && !isListed(known)) {
        addMembers(node, known, lines);
      }
    }
  }

  private static boolean isMember(ClassNode node, int access) {
    boolean reached = (access & Opcodes.ACC_PUBLIC) != 0
        || (access & Opcodes.ACC_PROTECTED) != 0 && (node.access & Opcodes.ACC_FINAL) == 0;
    return reached && (access & Opcodes.ACC_SYNTHETIC) == 0;
  }

  private static boolean isOwn(ClassNode node, MethodNode method) {
    boolean ofEnum = method.name.equals("values") && method.desc.startsWith("()")
        || method.name.equals("valueOf") && method.desc.startsWith("(Ljava/lang/String;)");
    return !(ofEnum && (node.access & Opcodes.ACC_ENUM) != 0) && !OF_OBJECT.contains(method.name + method.desc);
  }
}
