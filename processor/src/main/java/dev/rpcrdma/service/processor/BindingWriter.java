// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeSpec;
import com.palantir.javapoet.WildcardTypeName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import javax.lang.model.element.Modifier;

/** Writes {@code XRpcBinding}: what joins interface, program, proxy and handler. */
final class BindingWriter {

  private final Program program;

  BindingWriter(Program program) {
    this.program = program;
  }

  TypeSpec write() {
    return Sources.finalClass(program, program.binding())
        .addModifiers(Modifier.PUBLIC)
        .addSuperinterface(ParameterizedTypeName.get(ClassNames.SERVICE_BINDING, program.type()))
        .addJavadoc("Joins {@link $T} to its program.\n", program.type())
        .addField(FieldSpec.builder(ClassNames.UPPER_LAYER_BINDING, "BINDING", Modifier.STATIC,
            Modifier.FINAL).initializer(upperLayerBinding()).build())
        .addMethod(MethodSpec.constructorBuilder()
            .addJavadoc("Called by {@link $T#of}.\n", ClassNames.SERVICE_BINDING)
            .addModifiers(Modifier.PUBLIC).build())
        .addMethod(method("type").returns(ParameterizedTypeName.get(ClassName.get(Class.class),
            program.type())).addStatement("return $T.class", program.type()).build())
        .addMethod(method("upperLayerBinding").returns(ClassNames.UPPER_LAYER_BINDING)
            .addStatement("return BINDING").build())
        .addMethod(callback())
        .addMethod(interfaceDefinition())
        .addMethod(method("proxy").returns(program.type())
            .addParameter(ClassNames.RPC_CALLER, "caller")
            .addParameter(ClassNames.CALL_OPTIONS, "options")
            .addStatement("return new $T(caller, options)", program.proxy()).build())
        .addMethod(method("service").returns(ClassNames.RPC_SERVICE)
            .addParameter(program.type(), "implementation")
            .addStatement("return new $T(implementation)", program.handler()).build())
        .build();
  }

  private CodeBlock upperLayerBinding() {
    CodeBlock port = program.port() == 0 ? CodeBlock.of("$T.empty()", OptionalInt.class)
        : CodeBlock.of("$T.of($L)", OptionalInt.class, program.port());
    List<CodeBlock> procedures = program.procedures().stream().map(this::procedure).toList();
    return CodeBlock.of("new $T($S, $L, $L, $L,\n$>$>$T.ofEntries($L)$<$<)",
        ClassNames.UPPER_LAYER_BINDING, program.type().simpleName(), String.format("0x%08x", program.number()),
        program.version(), port, Map.class, CodeBlock.join(procedures, ","));
  }

  private CodeBlock procedure(Procedure procedure) {
    CodeBlock bound = procedure.bounded()
        ? CodeBlock.of("$T.replyBound($L, $L)", ClassNames.PROXY_CALL, procedure.most(),
            Sources.failures(program))
        : CodeBlock.of("$T.UNPREDICTABLE", ClassNames.REPLY_BOUND);
    return CodeBlock.of("\n$T.entry($L, new $T($S, $L, $L,$W$L)$L)", Map.class,
        procedure.number(), ClassNames.PROCEDURE_BINDING, procedure.qualifiedName(),
        procedure.placedArguments(), procedure.placedResult() ? 1 : 0, bound,
        repetition(procedure));
  }

  private static String repetition(Procedure procedure) {
    if (procedure.readOnly()) {
      return ".asReadOnly()";
    }
    return procedure.idempotent() ? ".asIdempotent()" : "";
  }

  private MethodSpec callback() {
    return method("callback")
        .returns(ParameterizedTypeName.get(ClassName.get(Optional.class),
            ParameterizedTypeName.get(ClassName.get(Class.class),
                WildcardTypeName.subtypeOf(Object.class))))
        .addStatement(program.callback()
            .map(type -> CodeBlock.of("return $T.of($T.class)", Optional.class, type))
            .orElse(CodeBlock.of("return $T.empty()", Optional.class)))
        .build();
  }

  private MethodSpec interfaceDefinition() {
    List<CodeBlock> lines = XdrText.of(program).stream()
        .map(line -> CodeBlock.of("\n$S", line)).toList();
    return method("interfaceDefinition")
        .returns(String.class)
        .addStatement("return $T.join($S,$L,\n$S)", String.class, "\n",
            CodeBlock.join(lines, ","), "")
        .build();
  }

  private static MethodSpec.Builder method(String name) {
    return MethodSpec.methodBuilder(name)
        .addAnnotation(Override.class)
        .addModifiers(Modifier.PUBLIC);
  }
}
