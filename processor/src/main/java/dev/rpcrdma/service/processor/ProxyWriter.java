// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import com.palantir.javapoet.WildcardTypeName;
import dev.rpcrdma.service.processor.Procedure.Parameter;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;

/** Writes {@code XRpcProxy}: the requester's side. */
final class ProxyWriter {

  private final Program program;
  private final ServiceInterface written;
  private final String callMethod;

  ProxyWriter(Program program) {
    this(program, program.interfaces().get(0));
  }

  private ProxyWriter(Program program, ServiceInterface written) {
    this.program = program;
    this.written = written;
    Scope methods = new Scope();
    written.methodNames().forEach(methods::taking);
    this.callMethod = methods.fresh("call");
  }

  /** What the proxy of an object is called, inside that of the service. */
  static String objectProxy(ClassName type) {
    return type.reflectionName().replace('.', '_') + "Proxy";
  }

  TypeSpec write() {
    TypeSpec.Builder type = Sources.finalClass(program, program.proxy())
        .addModifiers(Modifier.PUBLIC)
        .addJavadoc("Calls {@link $T} on a peer.\n", program.type());
    fill(type, isCalledOn() ? CodeBlock.of("new $T()", ClassNames.REMOTE_OBJECT) : CodeBlock.of(""));
    type.addMethod(with());
    program.interfaces().stream().skip(1)
        .forEach(each -> type.addType(new ProxyWriter(program, each).writeObject()));
    return type.build();
  }

  private TypeSpec writeObject() {
    TypeSpec.Builder type = TypeSpec.classBuilder(objectProxy(written.type()))
        .addModifiers(Modifier.PRIVATE, Modifier.STATIC, Modifier.FINAL);
    fill(type, CodeBlock.of(""));
    return type.build();
  }

  /** Whether calls say what they are made on: the service of a program with objects, or one that can be closed. */
  private boolean isCalledOn() {
    return written != program.interfaces().get(0) || written.closing().isPresent();
  }

  private void fill(TypeSpec.Builder type, CodeBlock own) {
    qualify(type);
    type.addSuperinterface(written.type())
        .addField(ClassNames.RPC_CALLER, "caller", Modifier.PRIVATE, Modifier.FINAL)
        .addField(ClassNames.CALL_OPTIONS, "options", Modifier.PRIVATE, Modifier.FINAL);
    MethodSpec.Builder constructor = MethodSpec.constructorBuilder()
        .addParameter(ClassNames.RPC_CALLER, "caller")
        .addParameter(ClassNames.CALL_OPTIONS, "options")
        .addStatement("this.caller = $T.requireNonNull(caller, $S)", Objects.class, "caller")
        .addStatement("this.options = $T.requireNonNull(options, $S)", Objects.class, "options");
    if (isCalledOn()) {
      type.addField(ClassNames.REMOTE_OBJECT, "object", Modifier.PRIVATE, Modifier.FINAL);
      if (own.isEmpty()) {
        constructor.addParameter(ClassNames.REMOTE_OBJECT, "object");
      }
      constructor.addStatement("this.object = $L", own.isEmpty() ? "object" : own);
    }
    type.addMethod(constructor.build());
    written.procedures().forEach(p -> type.addMethod(procedure(p)));
    written.ignored().forEach(method -> type.addMethod(ignored(method)));
    type.addMethod(call());
    if (written.ignored().stream().noneMatch(ProxyWriter::isText)) {
      type.addMethod(text());
    }
  }

  private static boolean isText(MethodSpec method) {
    return method.name().equals("toString") && method.parameters().isEmpty();
  }

  /** For logs and debuggers: which interface, over which channel or connection. */
  private MethodSpec text() {
    return MethodSpec.methodBuilder("toString")
        .addAnnotation(Override.class)
        .addModifiers(Modifier.PUBLIC)
        .returns(String.class)
        .addStatement("return $S + caller", written.type().simpleName() + " over ")
        .build();
  }

  /**
   * Qualifies names that member types and constants of the interface hide, which the proxy inherits, and names of
   * parameters.
   */
  private void qualify(TypeSpec.Builder type) {
    Sources.qualifyParameters(type, written.procedures());
    written.constantNames().forEach(type::alwaysQualify);
    Set<String> members = type.avoidClashesWithNestedClasses(written.element()).build().alwaysQualifiedNames();
    written.procedures().stream()
        .flatMap(procedure -> Stream.concat(Stream.of(procedure.returnType()),
            procedure.parameters().stream().map(Parameter::type)))
        .flatMap(ProxyWriter::classes)
        .filter(name -> members.contains(name.topLevelClassName().simpleName()))
        .forEach(name -> type.alwaysQualify(name.simpleName()));
  }

  /** Returns the classes that a type names. */
  private static Stream<ClassName> classes(TypeName type) {
    if (type instanceof ParameterizedTypeName generic) {
      return Stream.concat(Stream.of(generic.rawType()),
          generic.typeArguments().stream().flatMap(ProxyWriter::classes));
    }
    if (type instanceof WildcardTypeName wildcard) {
      return wildcard.upperBounds().stream().flatMap(ProxyWriter::classes);
    }
    return type instanceof ClassName name ? Stream.of(name) : Stream.empty();
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
        .addStatement("return new $T(caller, options, $T.BINDING, $L, procedure)$L",
            ClassNames.PROXY_CALL, program.binding(), Sources.failures(program), isCalledOn() ? ".on(object)" : "")
        .build();
  }

  private MethodSpec procedure(Procedure procedure) {
    Scope names = new Scope();
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
        .add("$L$L($L)$L", procedure.oneWay() ? "" : "return ", callMethod, procedure.number(),
            procedure.closes() ? ".closing()" : "");
    procedure.routingKey().ifPresent(key -> chain.add("\n.routedBy($L)", key.getSimpleName()));
    if (!procedure.sent().isEmpty()) {
      chain.add("\n.arguments($L -> {$>\n", names.writer());
      for (Parameter parameter : procedure.sent()) {
        chain.add("$L;\n", parameter.wire().orElseThrow()
            .write(names, CodeBlock.of("$L", parameter.name()), parameter.name()));
      }
      chain.add("$<})");
    }
    method.addStatement(chain.add(room(procedure)).add(result(procedure, names)).build());
    return procedure.fluent() ? method.addStatement("return this").build() : method.build();
  }

  /** What a proxy does not call does nothing, or says that it cannot. */
  private static MethodSpec ignored(MethodSpec method) {
    return method.returnType().equals(TypeName.VOID) ? method : method.toBuilder()
        .addStatement("throw new $T($S)", UnsupportedOperationException.class,
            method.name() + " is not called by proxies: it has @ProxyIgnore").build();
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

  private static CodeBlock result(Procedure procedure, Scope names) {
    if (procedure.oneWay()) {
      return CodeBlock.of("\n.send()");
    }
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
