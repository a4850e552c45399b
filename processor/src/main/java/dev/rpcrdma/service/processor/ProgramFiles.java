// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.JavaFile;
import com.palantir.javapoet.TypeSpec;
import java.io.IOException;
import java.io.Writer;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import javax.annotation.processing.ProcessingEnvironment;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;

/**
 * Generates what belongs to programs, as soon as all that they refer to is there: proxy, handler, binding and codecs.
 * Each file depends on the interface alone and on what that refers to.
 */
final class ProgramFiles {

  private final ProcessingEnvironment environment;
  private final Function<TypeElement, Optional<Program>> reader;
  private final ClassFiles classFiles;
  /**
   * Interfaces, by name, that refer to types which another processor may yet generate. The value says what is missing
   * if a class file names it; it is empty if a source does, of which the compiler reports each.
   */
  private final Map<String, String> deferred = new LinkedHashMap<>();

  /**
   * Those of one processor.
   *
   * @param classFiles knows what is being compiled
   * @param reader turns an interface into a program; throws {@link Unresolved} if it names a type that does not exist
   */
  ProgramFiles(ProcessingEnvironment environment, ClassFiles classFiles,
      Function<TypeElement, Optional<Program>> reader) {
    this.environment = environment;
    this.classFiles = classFiles;
    this.reader = reader;
  }

  /** Generates for the interfaces of a round, and those that were deferred; reports these in the last round. */
  void round(RoundEnvironment round, Set<? extends Element> interfaces) {
    if (round.processingOver()) {
      deferred.forEach(this::reportMissing);
      return;
    }
    Set<String> names = new LinkedHashSet<>(deferred.keySet());
    deferred.clear();
    interfaces.forEach(each -> names.add(((TypeElement) each).getQualifiedName().toString()));
    names.forEach(this::process);
  }

  private void process(String name) {
    TypeElement type = environment.getElementUtils().getTypeElement(name);
    try {
      reader.apply(type).ifPresent(this::generate);
    } catch (Unresolved e) {
      deferred.put(name, classFiles.hasSource(e.user()) ? "" : Refusal.describe(e.user()) + " names " + e.getMessage()
          + ", of which there is no class: add its library to the class path");
    }
  }

  /** Reports a missing type that only a class file names: the compiler says nothing of it. */
  private void reportMissing(String name, String missing) {
    if (!missing.isEmpty()) {
      environment.getMessager().printMessage(Diagnostic.Kind.ERROR, missing,
          environment.getElementUtils().getTypeElement(name));
    }
  }

  private void generate(Program program) {
    if (!program.coded().isEmpty()) {
      write(program, new CodecsWriter(program).write());
    }
    write(program, new ProxyWriter(program).write());
    write(program, new HandlerWriter(program).write());
    write(program, new BindingWriter(program).write());
  }

  /** Writes a class so that none of the application's types hides another that it names. */
  private void write(Program program, TypeSpec type) {
    String home = program.type().packageName();
    boolean isNamed = !home.isEmpty();
    // Printed as a class of no package, which imports its neighbours, or qualifies those that members hide.
    String text = JavaFile.builder("", type).indent("  ").build().toString();
    try (Writer writer = environment.getFiler()
        .createSourceFile(isNamed ? home + "." + type.name() : type.name(), program.element()).openWriter()) {
      writer.write(isNamed ? "package " + home + ";\n\n" + text : text);
    } catch (IOException e) {
      environment.getMessager().printMessage(Diagnostic.Kind.ERROR,
          type.name() + " cannot be written: " + e, program.element());
    }
  }
}
