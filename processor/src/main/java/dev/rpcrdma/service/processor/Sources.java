// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.AnnotationSpec;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeSpec;
import java.util.List;
import javax.annotation.processing.Generated;
import javax.lang.model.element.Modifier;

/** What all generated classes have in common. */
final class Sources {

  private Sources() {}

  static TypeSpec.Builder finalClass(Program program, ClassName name) {
    return TypeSpec.classBuilder(name)
        .addAnnotation(AnnotationSpec.builder(Generated.class)
            .addMember("value", "$S", RpcProgramProcessor.class.getName()).build())
        // The interface may use what is deprecated; it was warned where it does. Casts choose constructors.
        .addAnnotation(AnnotationSpec.builder(SuppressWarnings.class)
            .addMember("value", "{$S, $S, $S}", "cast", "deprecation", "removal").build())
        .addModifiers(Modifier.FINAL);
  }

  /**
   * Qualifies classes that are called as a parameter of a method: where both are in scope, the name is that of the
   * parameter.
   */
  static void qualifyParameters(TypeSpec.Builder type, List<Procedure> procedures) {
    procedures.forEach(procedure -> procedure.parameters().forEach(each -> type.alwaysQualify(each.name())));
  }

  /** The constant of {@code Failures} of a program. */
  static CodeBlock failures(Program program) {
    return CodeBlock.of("$T.$L", ClassNames.FAILURES, program.failures().name());
  }

  /** The name of a result in exceptions. */
  static String resultOf(Program program, Procedure procedure) {
    return "the result of " + program.name() + "." + procedure.qualifiedName();
  }
}
