// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.annotation.processing.ProcessingEnvironment;
import javax.lang.model.element.TypeElement;
import javax.tools.StandardLocation;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.RecordComponentVisitor;
import org.objectweb.asm.TypePath;

/**
 * What a compiler before JDK 22 does not show of records that it has from class files: the annotations of types
 * (JDK-8225377). Without them such a record would silently have another wire form than where it was compiled.
 */
final class ClassFiles {

  private static final int FIRST_THAT_SHOWS = 22;
  /** A descriptor of an annotation of that simple name. */
  private static final Pattern NULLABLE = Pattern.compile(".*[/$]Nullable;|LNullable;");

  private final ProcessingEnvironment environment;

  ClassFiles(ProcessingEnvironment environment) {
    this.environment = environment;
  }

  /** The components of a record that the compiler does not show to have a {@code @Nullable} in them. */
  Set<String> hidden(TypeElement type) {
    return Runtime.version().feature() < FIRST_THAT_SHOWS && !hasSource(type) ? nullable(type) : Set.of();
  }

  private boolean hasSource(TypeElement type) {
    try {
      return Trees.instance(environment).getPath(type) != null;
    } catch (IllegalArgumentException | LinkageError e) {
      // A compiler that is not javac: it shows what it likes.
      return true;
    }
  }

  private Set<String> nullable(TypeElement type) {
    String binary = environment.getElementUtils().getBinaryName(type).toString();
    String home = environment.getElementUtils().getPackageOf(type).getQualifiedName().toString();
    String name = binary.substring(home.isEmpty() ? 0 : home.length() + 1) + ".class";
    try (InputStream in = open(type, home, name)) {
      return nullable(new ClassReader(in));
    } catch (IOException | IllegalArgumentException e) {
      // Where the compiler had it from, nothing else finds it.
      return Set.of();
    }
  }

  private InputStream open(TypeElement type, String home, String name) throws IOException {
    try {
      return environment.getFiler().getResource(StandardLocation.CLASS_PATH, home, name).openInputStream();
    } catch (IOException e) {
      String module = environment.getElementUtils().getModuleOf(type).getQualifiedName().toString();
      return environment.getFiler().getResource(StandardLocation.MODULE_PATH, module + "/" + home, name)
          .openInputStream();
    }
  }

  private static Set<String> nullable(ClassReader file) {
    Set<String> components = new TreeSet<>();
    file.accept(new ClassVisitor(Opcodes.ASM9) {
      @Override
      public RecordComponentVisitor visitRecordComponent(String component, String descriptor, String signature) {
        return new Component(component, components);
      }
    }, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return components;
  }

  /** An annotation that belongs on the component, too, is seen there, but not inside its type. */
  private static final class Component extends RecordComponentVisitor {

    private final String name;
    private final Set<String> components;
    private boolean shown;
    private boolean hidden;

    Component(String name, Set<String> components) {
      super(Opcodes.ASM9);
      this.name = name;
      this.components = components;
    }

    @Override
    public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
      shown |= NULLABLE.matcher(descriptor).matches();
      return null;
    }

    @Override
    public AnnotationVisitor visitTypeAnnotation(int typeRef, TypePath path, String descriptor, boolean visible) {
      if (NULLABLE.matcher(descriptor).matches()) {
        hidden |= path != null || !shown;
      }
      return null;
    }

    @Override
    public void visitEnd() {
      if (hidden) {
        components.add(name);
      }
    }
  }
}
