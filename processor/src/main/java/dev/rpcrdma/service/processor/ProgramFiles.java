// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.JavaFile;
import com.palantir.javapoet.TypeSpec;
import java.io.IOException;
import java.io.Writer;
import java.util.LinkedHashSet;
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
  /** Interfaces, by name, that refer to types which another processor may yet generate. */
  private final Set<String> deferred = new LinkedHashSet<>();

  /**
   * Those of one processor.
   *
   * @param reader turns an interface into a program; throws {@link Unresolved} if it names a type that does not exist
   */
  ProgramFiles(ProcessingEnvironment environment, Function<TypeElement, Optional<Program>> reader) {
    this.environment = environment;
    this.reader = reader;
  }

  /** Generates for the interfaces of a round, and those that were deferred. */
  void round(RoundEnvironment round, Set<? extends Element> interfaces) {
    Set<String> names = new LinkedHashSet<>(deferred);
    deferred.clear();
    interfaces.forEach(each -> names.add(((TypeElement) each).getQualifiedName().toString()));
    if (!round.processingOver()) {
      names.forEach(this::process);
    }
  }

  private void process(String name) {
    TypeElement type = environment.getElementUtils().getTypeElement(name);
    try {
      reader.apply(type).ifPresent(this::generate);
    } catch (Unresolved e) {
      // If it stays unresolved, the compiler reports it at its place.
      deferred.add(name);
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
