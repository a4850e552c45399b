package dev.rpcrdma.service.processor;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import dev.rpcrdma.service.processor.Procedure.Parameter;
import java.util.Objects;
import javax.lang.model.element.Modifier;

/** Writes {@code XRpcProxy}: the requester's side. */
final class ProxyWriter {

  private final Program program;
  private final String callMethod;

  ProxyWriter(Program program) {
    this.program = program;
    Names methods = new Names();
    program.procedures().forEach(p -> methods.taking(p.name()));
    this.callMethod = methods.fresh("call");
  }

  TypeSpec write() {
    TypeSpec.Builder type = Sources.finalClass(program, program.proxy())
        .addModifiers(Modifier.PUBLIC)
        .addSuperinterface(program.type())
        .addJavadoc("Calls {@link $T} on a peer.\n", program.type())
        .addField(ClassNames.RPC_CALLER, "caller", Modifier.PRIVATE, Modifier.FINAL)
        .addField(ClassNames.CALL_OPTIONS, "options", Modifier.PRIVATE, Modifier.FINAL)
        .addMethod(constructor())
        .addMethod(with());
    program.procedures().forEach(p -> type.addMethod(procedure(p)));
    return type.addMethod(call()).build();
  }

  private static MethodSpec constructor() {
    return MethodSpec.constructorBuilder()
        .addParameter(ClassNames.RPC_CALLER, "caller")
        .addParameter(ClassNames.CALL_OPTIONS, "options")
        .addStatement("this.caller = $T.requireNonNull(caller, $S)", Objects.class, "caller")
        .addStatement("this.options = $T.requireNonNull(options, $S)", Objects.class, "options")
        .build();
  }

  private MethodSpec with() {
    return MethodSpec.methodBuilder("with")
        .addJavadoc("A view of a proxy whose calls have other options.\n\n"
            + "@param proxy a proxy, which stays as it is\n"
            + "@param options replace those of the proxy\n"
            + "@return another proxy over the same connection or channel\n"
            + "@throws IllegalArgumentException if it is no generated proxy\n")
        .addModifiers(Modifier.PUBLIC, Modifier.STATIC)
        .returns(program.type())
        .addParameter(program.type(), "proxy")
        .addParameter(ClassNames.CALL_OPTIONS, "options")
        .addStatement("return new $T($T.proxy($T.class, proxy).caller, options)", program.proxy(),
            ClassNames.PROXY_CALL, program.proxy())
        .build();
  }

  private MethodSpec call() {
    return MethodSpec.methodBuilder(callMethod)
        .addModifiers(Modifier.PRIVATE)
        .returns(ClassNames.PROXY_CALL)
        .addParameter(TypeName.INT, "procedure")
        .addStatement("return new $T(caller, options, $T.BINDING, $L, procedure)",
            ClassNames.PROXY_CALL, program.binding(), Sources.failures(program))
        .build();
  }

  private MethodSpec procedure(Procedure procedure) {
    Names names = new Names();
    MethodSpec.Builder method = MethodSpec.methodBuilder(procedure.name())
        .addAnnotation(Override.class)
        .addModifiers(Modifier.PUBLIC)
        .returns(procedure.returnType())
        .varargs(procedure.method().isVarArgs());
    for (Parameter parameter : procedure.parameters()) {
      names.taking(parameter.name());
      method.addParameter(parameter.type(), parameter.name());
    }
    names.settled();
    CodeBlock.Builder chain = CodeBlock.builder()
        .add("return $L($L)", callMethod, procedure.number());
    if (!procedure.sent().isEmpty()) {
      chain.add("\n.arguments($L -> {$>\n", names.writer());
      for (Parameter parameter : procedure.sent()) {
        chain.add("$L;\n", parameter.wire().orElseThrow()
            .write(names, CodeBlock.of("$L", parameter.name()), parameter.name()));
      }
      chain.add("$<})");
    }
    return method.addStatement(chain.add(room(procedure)).add(result(procedure, names)).build())
        .build();
  }

  /** Room for the result, as far as the call's own arguments say something of it. */
  private static CodeBlock room(Procedure procedure) {
    if (procedure.into().isPresent()) {
      String target = procedure.into().get().name();
      return CodeBlock.of("\n.placedInto($L, $S)", target, target);
    }
    if (procedure.bound().isPresent()) {
      String bound = procedure.bound().get().name();
      return CodeBlock.of("\n.$L($L, $S)",
          procedure.placedResult() ? "placedResult" : "maxResult", bound, bound);
    }
    if (procedure.placedRoom()) {
      return CodeBlock.of("\n.placedResult($L, $S)",
          procedure.sequenceResult().orElseThrow().max(), "@MaxReply");
    }
    return CodeBlock.of("");
  }

  private static CodeBlock result(Procedure procedure, Names names) {
    if (procedure.result().isEmpty()) {
      return CodeBlock.of("\n.call()");
    }
    WireType type = procedure.result().get();
    CodeBlock read = type.read(names);
    if (procedure.into().isPresent()) {
      read = CodeBlock.of("$L.placedInto($L, $L)", names.reader(),
          SequenceType.bound(procedure.sequenceResult().orElseThrow().max()),
          procedure.into().get().name());
    } else if (procedure.bound().isPresent()) {
      read = procedure.sequenceResult().orElseThrow().read(names, CodeBlock.of("$L.bound($L)",
          names.reader(), procedure.bound().get().name()));
    }
    return CodeBlock.of("\n.call($L -> $L)", names.reader(), read);
  }
}
