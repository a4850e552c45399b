// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import dev.rpcrdma.service.processor.Procedure.Parameter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import javax.lang.model.element.Modifier;

/** Writes {@code XRpcHandler}: the responder's side. */
final class HandlerWriter {

  private static final TypeName REPLY =
      ParameterizedTypeName.get(ClassNames.FUTURE, ClassNames.XDR_ENCODER);

  private static final TypeName DISPATCH =
      ParameterizedTypeName.get(ClassName.get(Function.class), ClassNames.HANDLER_CALL, REPLY);

  private final Program program;
  /** What the method of each procedure is called; overloads get another name. */
  private final Map<Procedure, String> methods = new LinkedHashMap<>();

  HandlerWriter(Program program) {
    this.program = program;
    Scope taken = new Scope().taking("binding").taking("handle").taking("dispatch").taking("objects");
    program.procedures().forEach(p -> methods.put(p, taken.fresh(p.name())));
  }

  TypeSpec write() {
    TypeSpec.Builder type = Sources.finalClass(program, program.handler())
        .addModifiers(Modifier.PUBLIC)
        .addSuperinterface(ClassNames.RPC_SERVICE)
        .addJavadoc("Serves calls of {@link $T} with an implementation.\n", program.type())
        .addField(program.type(), "implementation", Modifier.PRIVATE, Modifier.FINAL)
        .addField(FieldSpec.builder(DISPATCH, "dispatch", Modifier.PRIVATE, Modifier.FINAL)
            .initializer("this::dispatch").build())
        .addMethod(MethodSpec.constructorBuilder()
            .addJavadoc("Creates a handler.\n\n@param implementation is called for each call\n")
            .addModifiers(Modifier.PUBLIC)
            .addParameter(program.type(), "implementation")
            .addStatement("this.implementation = $T.requireNonNull(implementation, $S)",
                Objects.class, "implementation")
            .build())
        .addMethod(MethodSpec.methodBuilder("binding")
            .addAnnotation(Override.class)
            .addModifiers(Modifier.PUBLIC)
            .returns(ClassNames.UPPER_LAYER_BINDING)
            .addStatement("return $T.BINDING", program.binding())
            .build())
        .addMethod(MethodSpec.methodBuilder("handle")
            .addAnnotation(Override.class)
            .addModifiers(Modifier.PUBLIC)
            .returns(REPLY)
            .addParameter(ClassNames.RPC_CALL, "call")
            .addStatement("return $T.serve(call, $L, this.dispatch)", ClassNames.HANDLER_CALL,
                Sources.failures(program))
            .build())
        .addMethod(dispatch());
    if (program.hasObjects()) {
      type.addField(FieldSpec.builder(ClassNames.SERVED_OBJECTS, "objects", Modifier.PRIVATE, Modifier.FINAL)
          .initializer("new $T($T.class)", ClassNames.SERVED_OBJECTS, program.type()).build());
    }
    Sources.qualifyParameters(type, program.procedures());
    program.procedures().forEach(p -> type.addMethod(procedure(p)));
    return type.build();
  }

  private MethodSpec dispatch() {
    CodeBlock.Builder body = CodeBlock.builder().add("switch (call.procedure()) {$>\n");
    methods.forEach((procedure, name) ->
        body.add("case $L:\n$>return this.$L(call);\n$<", procedure.number(), name));
    body.add("default:\n$>return call.unavailable();\n$<$<}\n");
    return MethodSpec.methodBuilder("dispatch")
        .addModifiers(Modifier.PRIVATE)
        .returns(REPLY)
        .addParameter(ClassNames.HANDLER_CALL, "call")
        .addCode(body.build())
        .build();
  }

  private MethodSpec procedure(Procedure procedure) {
    Scope names = new Scope();
    procedure.sent().forEach(p -> names.taking(p.name()));
    names.settled();
    String call = names.fresh("call");
    String object = names.fresh("object");
    String id = names.fresh("id");
    MethodSpec.Builder method = MethodSpec.methodBuilder(methods.get(procedure))
        .addModifiers(Modifier.PRIVATE)
        .returns(REPLY)
        .addParameter(ClassNames.HANDLER_CALL, call)
        .addStatement("$T $L = $L.in()", ClassNames.VALUE_READER, names.reader(), call);
    procedure.object().ifPresent(type -> method.addStatement("$T $L = $T.readUUID($L)", UUID.class, id,
        ClassNames.IDENTIFIERS, names.reader()));
    for (Parameter parameter : procedure.sent()) {
      method.addStatement("$T $L = $L", parameter.type(), parameter.name(),
          parameter.wire().orElseThrow().read(names));
    }
    String bound = names.fresh("bound");
    procedure.bound().ifPresent(p -> method.addStatement("int $L = $L.bound($L)", bound,
        names.reader(), p.name()));
    method.addStatement("$L.end()", names.reader());
    // Behind the end of the arguments: an object that is taken and not called would not be closed.
    procedure.object().ifPresent(type -> method
        .addStatement("$T $L = this.objects.$L($L, $L, $T.class)", type, object,
            procedure.closes() ? "take" : "find", call, id, type)
        .beginControlFlow("if ($L == null)", object)
        .addStatement("return $L.gone($S)", call, type.simpleName()).endControlFlow());
    return method.addStatement(reply(procedure, names, call, bound,
        procedure.object().isPresent() ? object : "this.implementation")).build();
  }

  private CodeBlock reply(Procedure procedure, Scope names, String call, String bound, String target) {
    List<CodeBlock> arguments = procedure.parameters().stream()
        .map(p -> p.wire().isPresent() ? CodeBlock.of("$L", p.name())
            : CodeBlock.of("$T.PAYLOAD", ClassNames.NO_TARGET))
        .toList();
    CodeBlock invocation = CodeBlock.of("() -> $L.$L($L)", target, procedure.name(),
        CodeBlock.join(arguments, ", "));
    String what = program.name() + "." + procedure.qualifiedName();
    if (procedure.oneWay()) {
      return CodeBlock.of("return $L.run($S,$W$L)", call, what, invocation);
    }
    if (procedure.result().isEmpty()) {
      return CodeBlock.of("return $L.reply($S,$W$L)", call, what, invocation);
    }
    Optional<ObjectType> made = procedure.resultObject();
    if (made.isPresent()) {
      return CodeBlock.of("return $L.make($S,$W$L,\nthis.objects, $L)", call, what, invocation, made.get().closer());
    }
    String result = names.fresh("result");
    CodeBlock value = CodeBlock.of("$L", result);
    String resultName = Sources.resultOf(program, procedure);
    CodeBlock write = procedure.bound().isPresent()
        ? procedure.sequenceResult().orElseThrow()
            .write(names, value, CodeBlock.of("$L", bound), resultName)
        : procedure.result().get().write(names, value, resultName);
    return CodeBlock.of("return $L.reply($S,$W$L,\n($L, $L) -> $L)", call, what,
        invocation, names.writer(), result, write);
  }
}
