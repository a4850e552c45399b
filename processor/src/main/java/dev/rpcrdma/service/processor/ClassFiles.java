// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import javax.annotation.processing.Filer;
import javax.annotation.processing.ProcessingEnvironment;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.tools.StandardLocation;
import org.objectweb.asm.ClassReader;

/**
 * What a compiler before JDK 22 does not show of types that it has from class files: the annotations within them
 * (JDK-8225377). Without them a record or a method would silently have another wire form than where it was compiled.
 */
final class ClassFiles {

  private static final int FIRST_THAT_SHOWS = 22;

  private final ProcessingEnvironment environment;
  /** The names of outermost types that are being compiled. */
  private final Set<String> sources = new HashSet<>();
  /** By binary names: programs share records, and inherit several methods of one interface. */
  private final Map<String, Optional<ClassFile>> found = new HashMap<>();

  ClassFiles(ProcessingEnvironment environment) {
    this.environment = environment;
  }

  /** Hears of what is being compiled: of the rest there are class files. */
  void round(RoundEnvironment round) {
    round.getRootElements().forEach(root -> sources.add(root.toString()));
  }

  /** Reads something; places refusals of elements without a source at another element, which has one. */
  <T> T placed(Element nearest, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (Refusal e) {
      throw e.placed(this::hasSource, nearest);
    }
  }

  /** Returns whether an element is being compiled. */
  boolean hasSource(Element element) {
    return sources.contains(outermost(element).toString());
  }

  /** The components of a record that the compiler does not show to have a {@code @Nullable} in them. */
  Set<String> hidden(TypeElement type) {
    Set<String> hidden = new TreeSet<>();
    read(type).ifPresent(file -> {
      for (RecordComponentElement component : type.getRecordComponents()) {
        String name = component.getSimpleName().toString();
        if (file.hidesComponent(name) && !shows(component.asType())) {
          hidden.add(name);
        }
      }
    });
    return hidden;
  }

  /** Whether the compiler does not show that a method has a {@code @Nullable} in its result or parameters. */
  boolean hides(ExecutableElement method) {
    return read((TypeElement) method.getEnclosingElement())
        .filter(file -> file.hidesIn(method.getSimpleName().toString(), method.getParameters().size()))
        .isPresent() && !shows(method.getReturnType())
        && method.getParameters().stream().noneMatch(parameter -> shows(parameter.asType()));
  }

  /** Whether the compiler shows one, as some do. */
  private static boolean shows(TypeMirror type) {
    if (Usage.of(type).nullable().isPresent()) {
      return true;
    }
    if (type.getKind() == TypeKind.ARRAY) {
      return shows(((ArrayType) type).getComponentType());
    }
    return type.getKind() == TypeKind.DECLARED
        && ((DeclaredType) type).getTypeArguments().stream().anyMatch(ClassFiles::shows);
  }

  /** Its class file; empty if it is being compiled, or if the compiler shows all anyway. */
  private Optional<ClassFile> read(TypeElement type) {
    return Runtime.version().feature() >= FIRST_THAT_SHOWS || hasSource(type)
        ? Optional.empty()
        : found.computeIfAbsent(environment.getElementUtils().getBinaryName(type).toString(), name -> find(type, name));
  }

  private static Element outermost(Element element) {
    Element outermost = element;
    while (outermost.getEnclosingElement().getKind() != ElementKind.PACKAGE) {
      outermost = outermost.getEnclosingElement();
    }
    return outermost;
  }

  private Optional<ClassFile> find(TypeElement type, String binary) {
    String home = environment.getElementUtils().getPackageOf(type).getQualifiedName().toString();
    String module = environment.getElementUtils().getModuleOf(type).getQualifiedName().toString();
    String name = binary.substring(home.isEmpty() ? 0 : home.length() + 1) + ".class";
    Filer filer = environment.getFiler();
    // A module that is being compiled may have been compiled in part before.
    List<Place> places = List.of(
        () -> filer.getResource(StandardLocation.CLASS_PATH, home, name).openInputStream(),
        () -> filer.getResource(StandardLocation.CLASS_OUTPUT, home, name).openInputStream(),
        () -> filer.getResource(StandardLocation.MODULE_PATH, module + "/" + home, name).openInputStream());
    return places.stream().flatMap(place -> read(place).stream()).findFirst();
  }

  /** Where a class file may be. */
  private interface Place {
    InputStream open() throws IOException;
  }

  private static Optional<ClassFile> read(Place place) {
    try (InputStream in = place.open()) {
      return Optional.of(ClassFile.of(new ClassReader(in)));
    } catch (IOException | RuntimeException e) {
      // Compilers say in many ways that there is none: javac by a NullPointerException if its module has no such place.
      return Optional.empty();
    }
  }
}
