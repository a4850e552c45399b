// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.signature;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.signature.SignatureReader;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.util.TraceSignatureVisitor;

/** Members, and what else a class file has, as text in the order of Java's own syntax. */
final class MemberText {

  /** Annotations that say something to a compiler, or to who calls. */
  private static final Set<String> TOLD = Set.of("java.lang.Deprecated", "java.lang.FunctionalInterface",
      "java.lang.annotation.Inherited", "java.lang.annotation.Repeatable", "java.lang.annotation.Retention",
      "java.lang.annotation.Target");

  private MemberText() {}

  /** A field; one that compilers copy into callers has its value. */
  static String of(FieldNode field) {
    String start = annotations(field.visibleAnnotations);
    if ((field.access & Opcodes.ACC_ENUM) != 0) {
      return "constant " + start + field.name;
    }
    return "field " + start + modifiers(field.access & ~(Opcodes.ACC_VOLATILE | Opcodes.ACC_TRANSIENT))
        + type(field.signature == null ? field.desc : field.signature) + " " + field.name
        + (field.value == null ? "" : " = " + value(field.value));
  }

  /** A method or constructor. */
  static String of(MethodNode method, boolean ofInterface) {
    TraceSignatureVisitor parts = visit(method.access, method.signature == null ? method.desc : method.signature);
    String declaration = parts.getDeclaration();
    int parameters = declaration.startsWith("<") ? endOfTypeParameters(declaration) : 0;
    String list = declaration.substring(parameters);
    if ((method.access & Opcodes.ACC_VARARGS) != 0) {
      list = list.replaceFirst("\\[\\]\\)$", "...)");
    }
    boolean constructor = method.name.equals("<init>");
    boolean byDefault = ofInterface && (method.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_STATIC)) == 0;
    return (constructor ? "constructor " : "method ") + annotations(method.visibleAnnotations)
        + modifiers(method.access & ~(Opcodes.ACC_SYNCHRONIZED | Opcodes.ACC_NATIVE | Opcodes.ACC_STRICT))
        + (byDefault ? "default " : "") + (parameters == 0 ? "" : declaration.substring(0, parameters) + " ")
        + (constructor ? "new" : parts.getReturnType() + " " + method.name) + list + exceptions(method, parts)
        + (method.annotationDefault == null ? "" : " default " + value(method.annotationDefault));
  }

  private static String exceptions(MethodNode method, TraceSignatureVisitor parts) {
    if (parts.getExceptions() != null) {
      return " throws " + parts.getExceptions();
    }
    Set<String> names = new TreeSet<>();
    method.exceptions.forEach(name -> names.add(name.replace('/', '.')));
    return names.isEmpty() ? "" : " throws " + String.join(", ", names);
  }

  /** A type, from its descriptor or its generic signature. */
  static String type(String signature) {
    TraceSignatureVisitor visitor = new TraceSignatureVisitor(0);
    new SignatureReader(signature).acceptType(visitor);
    return visitor.getDeclaration();
  }

  static TraceSignatureVisitor visit(int access, String signature) {
    TraceSignatureVisitor visitor = new TraceSignatureVisitor(access);
    new SignatureReader(signature).accept(visitor);
    return visitor;
  }

  /** Where the type parameters end that a declaration begins with. */
  static int endOfTypeParameters(String declaration) {
    int depth = 0;
    for (int i = 0; i < declaration.length(); i++) {
      depth += declaration.charAt(i) == '<' ? 1 : declaration.charAt(i) == '>' ? -1 : 0;
      if (depth == 0) {
        return i + 1;
      }
    }
    throw new IllegalArgumentException(declaration);
  }

  /** Those that say something. */
  static String annotations(List<AnnotationNode> all) {
    List<String> told = new ArrayList<>();
    for (AnnotationNode each : all == null ? List.<AnnotationNode>of() : all) {
      if (TOLD.contains(Type.getType(each.desc).getClassName())) {
        told.add(value(each) + " ");
      }
    }
    return String.join("", told.stream().sorted().toList());
  }

  static String modifiers(int access) {
    return ((access & Opcodes.ACC_PUBLIC) != 0 ? "public " : "") + ((access & Opcodes.ACC_PROTECTED) != 0
        ? "protected " : "") + ((access & Opcodes.ACC_ABSTRACT) != 0 ? "abstract " : "")
        + ((access & Opcodes.ACC_STATIC) != 0 ? "static " : "") + ((access & Opcodes.ACC_FINAL) != 0 ? "final " : "");
  }

  /** A value of a constant or of an annotation; names of constants are an array of ASM's. */
  private static String value(Object value) {
    if (value instanceof String text) {
      return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    } else if (value instanceof Type type) {
      return type.getClassName() + ".class";
    } else if (value instanceof String[] constant) {
      return Type.getType(constant[0]).getClassName() + "." + constant[1];
    } else if (value instanceof List<?> list) {
      return "{" + String.join(", ", list.stream().map(MemberText::value).toList()) + "}";
    } else if (value instanceof AnnotationNode annotation) {
      List<String> parts = new ArrayList<>();
      for (int i = 0; annotation.values != null && i < annotation.values.size(); i += 2) {
        parts.add(annotation.values.get(i) + "=" + value(annotation.values.get(i + 1)));
      }
      return "@" + Type.getType(annotation.desc).getClassName()
          + (parts.isEmpty() ? "" : "(" + String.join(", ", parts) + ")");
    }
    return String.valueOf(value);
  }
}
