// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.RecordComponentVisitor;
import org.objectweb.asm.Type;
import org.objectweb.asm.TypePath;
import org.objectweb.asm.TypeReference;

/** Where a class file has a {@code @Nullable} that belongs to types, and is not shown as one of declarations too. */
final class ClassFile extends ClassVisitor {

  /** A descriptor of an annotation of that simple name. */
  private static final Pattern NULLABLE = Pattern.compile(".*[/$]Nullable;|LNullable;");

  private final Set<String> components = new HashSet<>();
  private final Set<String> methods = new HashSet<>();

  private ClassFile() {
    super(Opcodes.ASM9);
  }

  static ClassFile of(ClassReader reader) {
    ClassFile file = new ClassFile();
    reader.accept(file, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return file;
  }

  /** Whether it is in the type of a record's component. */
  boolean hidesComponent(String name) {
    return components.contains(name);
  }

  /** Whether it is in the result or a parameter of a method of that name, with as many parameters. */
  boolean hidesIn(String name, int parameters) {
    return methods.contains(key(name, parameters));
  }

  private static String key(String name, int parameters) {
    return name + "/" + parameters;
  }

  @Override
  public RecordComponentVisitor visitRecordComponent(String name, String descriptor, String signature) {
    Places places = new Places();
    return new RecordComponentVisitor(Opcodes.ASM9) {
      @Override
      public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
        return places.declared(0, annotation);
      }

      @Override
      public AnnotationVisitor visitTypeAnnotation(int reference, TypePath path, String annotation, boolean visible) {
        return places.within(0, path, annotation);
      }

      @Override
      public void visitEnd() {
        if (places.hidden()) {
          components.add(name);
        }
      }
    };
  }

  @Override
  public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
    Places places = new Places();
    return new MethodVisitor(Opcodes.ASM9) {
      @Override
      public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
        return places.declared(Places.RESULT, annotation);
      }

      @Override
      public AnnotationVisitor visitParameterAnnotation(int parameter, String annotation, boolean visible) {
        return places.declared(parameter, annotation);
      }

      @Override
      public AnnotationVisitor visitTypeAnnotation(int reference, TypePath path, String annotation, boolean visible) {
        TypeReference place = new TypeReference(reference);
        return switch (place.getSort()) {
          case TypeReference.METHOD_RETURN -> places.within(Places.RESULT, path, annotation);
          case TypeReference.METHOD_FORMAL_PARAMETER ->
              places.within(place.getFormalParameterIndex(), path, annotation);
          default -> null;
        };
      }

      @Override
      public void visitEnd() {
        if (places.hidden()) {
          methods.add(key(name, Type.getArgumentTypes(descriptor).length));
        }
      }
    };
  }

  /** Where one declaration has it: its result or only type, and its parameters. */
  private static final class Places {

    private static final int RESULT = -1;

    private final Set<Integer> declared = new HashSet<>();
    private final Set<Integer> outermost = new HashSet<>();
    private boolean inside;

    AnnotationVisitor declared(int place, String annotation) {
      if (NULLABLE.matcher(annotation).matches()) {
        declared.add(place);
      }
      return null;
    }

    AnnotationVisitor within(int place, TypePath path, String annotation) {
      if (NULLABLE.matcher(annotation).matches()) {
        if (path == null) {
          outermost.add(place);
        } else {
          inside = true;
        }
      }
      return null;
    }

    /** One that belongs on declarations, too, is shown there, but not inside a type. */
    boolean hidden() {
      return inside || !declared.containsAll(outermost);
    }
  }
}
