package dev.rpcrdma.service.processor;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeSpec;
import javax.lang.model.element.Modifier;

/**
 * Writes {@code XRpcCodecs}: how the records of a program are written and read. Each program has
 * its own, so that two programs can share a record and still be compiled apart.
 */
final class CodecsWriter {

  private final Program program;

  CodecsWriter(Program program) {
    this.program = program;
  }

  TypeSpec write() {
    TypeSpec.Builder type = Sources.finalClass(program, program.codecs())
        .addJavadoc("The structs of {@link $T}.\n", program.type())
        .addMethod(MethodSpec.constructorBuilder().addModifiers(Modifier.PRIVATE).build());
    program.structs().forEach(struct -> type.addMethod(writer(struct)).addMethod(reader(struct)));
    return type.build();
  }

  private MethodSpec writer(StructType struct) {
    Names names = new Names().taking("struct").settled();
    CodeBlock.Builder body = CodeBlock.builder();
    for (StructType.Component component : struct.components()) {
      body.addStatement(component.type().write(names,
          CodeBlock.of("struct.$L()", component.name()),
          struct.javaType().simpleName() + "." + component.name()));
    }
    MethodSpec.Builder method = MethodSpec.methodBuilder("write" + struct.codecName())
        .addModifiers(Modifier.STATIC)
        .addParameter(ClassNames.VALUE_WRITER, names.writer())
        .addParameter(struct.javaType(), "struct");
    if (struct.isRecursive()) {
      method.addCode("$L.nested(() -> {$>\n", names.writer()).addCode(body.build())
          .addCode("$<});\n");
    } else {
      method.addCode(body.build());
    }
    return method.build();
  }

  private MethodSpec reader(StructType struct) {
    Names names = new Names().settled();
    CodeBlock.Builder arguments = CodeBlock.builder();
    String separator = "";
    for (StructType.Component component : struct.components()) {
      arguments.add(separator).add("\n").add(component.type().read(names));
      separator = ",";
    }
    CodeBlock made = CodeBlock.of("new $T($L)", struct.javaType(), arguments.build());
    return MethodSpec.methodBuilder("read" + struct.codecName())
        .addModifiers(Modifier.STATIC)
        .returns(struct.javaType())
        .addParameter(ClassNames.VALUE_READER, names.reader())
        .addStatement(struct.isRecursive()
            ? CodeBlock.of("return $L.nested(() -> $L)", names.reader(), made)
            : CodeBlock.of("return $L", made))
        .build();
  }
}
