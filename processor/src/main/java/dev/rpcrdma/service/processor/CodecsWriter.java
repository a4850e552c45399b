// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeSpec;
import javax.lang.model.element.Modifier;

/**
 * Writes {@code XRpcCodecs}: how the application's types that a program uses are written and read. Each
 * program has its own, so that two programs can share a record and still be compiled apart.
 */
final class CodecsWriter {

  private final Program program;

  CodecsWriter(Program program) {
    this.program = program;
  }

  TypeSpec write() {
    TypeSpec.Builder type = Sources.finalClass(program, program.codecs())
        .addJavadoc("The types of {@link $T}.\n", program.type())
        .addMethod(MethodSpec.constructorBuilder().addModifiers(Modifier.PRIVATE).build());
    program.coded().forEach(coded -> type.addMethod(writer(coded)).addMethod(reader(coded)));
    return type.build();
  }

  private static MethodSpec writer(CodedType coded) {
    Scope names = new Scope();
    String value = names.fresh("value");
    names.settled();
    CodeBlock body = coded.writeBody(names, value);
    return MethodSpec.methodBuilder("write" + coded.codecName())
        .addModifiers(Modifier.STATIC)
        .addParameter(ClassNames.VALUE_WRITER, names.writer())
        .addParameter(coded.javaType(), value)
        .addCode(coded.isRecursive() ? nested("$L.nested(() -> {$>\n", names.writer(), body) : body)
        .build();
  }

  private static MethodSpec reader(CodedType coded) {
    Scope names = new Scope().settled();
    CodeBlock body = coded.readBody(names);
    return MethodSpec.methodBuilder("read" + coded.codecName())
        .addModifiers(Modifier.STATIC)
        .returns(coded.javaType())
        .addParameter(ClassNames.VALUE_READER, names.reader())
        .addCode(coded.isRecursive() ? nested("return $L.nested(() -> {$>\n", names.reader(), body) : body)
        .build();
  }

  private static CodeBlock nested(String begin, String stream, CodeBlock body) {
    return CodeBlock.builder().add(begin, stream).add(body).add("$<});\n").build();
  }
}
