package dev.rpcrdma.service.processor;

import com.palantir.javapoet.JavaFile;
import com.palantir.javapoet.TypeSpec;
import java.io.IOException;
import javax.annotation.processing.ProcessingEnvironment;
import javax.tools.Diagnostic;

/**
 * Generates what belongs to a program: proxy, handler, binding and codecs. Each file depends on the interface alone and
 * on what that refers to.
 */
final class ProgramFiles {

  private final ProcessingEnvironment environment;

  ProgramFiles(ProcessingEnvironment environment) {
    this.environment = environment;
  }

  void generate(Program program) {
    if (!program.coded().isEmpty()) {
      write(program, new CodecsWriter(program).write());
    }
    write(program, new ProxyWriter(program).write());
    write(program, new HandlerWriter(program).write());
    write(program, new BindingWriter(program).write());
  }

  private void write(Program program, TypeSpec type) {
    try {
      JavaFile.builder(program.type().packageName(), type).skipJavaLangImports(true).indent("  ")
          .build().writeTo(environment.getFiler());
    } catch (IOException e) {
      environment.getMessager().printMessage(Diagnostic.Kind.ERROR,
          type.name() + " cannot be written: " + e, program.element());
    }
  }
}
