// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.TypeName;
import dev.rpcrdma.service.processor.Procedure.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.ExecutableType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Types;

/** Turns one method into a {@link Procedure}; fails with {@link Refusal}. */
final class ProcedureReader {

  private static final Set<String> KEYS = Set.of("java.lang.String", "java.util.UUID", "boolean", "byte",
      "short", "int", "long", "char");

  private final TypeReader typeReader;
  private final ExecutableElement method;
  private final ExecutableType signature;
  private final ResultRules rules;
  private final int number;
  private final Optional<ClassName> object;

  /**
   * Creates a reader.
   *
   * @param types of the compiler
   * @param typeReader reads parameters and results
   * @param rules what the method may return
   * @param program the interface
   * @param method its method
   * @param number the procedure's number
   * @param object the interface, if it is that of objects of a program
   */
  ProcedureReader(Types types, TypeReader typeReader, ResultRules rules, TypeElement program,
      ExecutableElement method, int number, Optional<ClassName> object) {
    this.rules = rules;
    this.object = object;
    this.typeReader = typeReader;
    this.method = method;
    this.signature =
        (ExecutableType) types.asMemberOf((DeclaredType) program.asType(), method);
    this.number = number;
  }

  Procedure read() {
    JavaNames.require(method);
    if (!method.getTypeParameters().isEmpty()) {
      throw Refusal.at(method, "A procedure cannot be generic");
    }
    if (rules.isOneWay(signature.getReturnType())) {
      ThrownTypes.checkUnchecked(method, method);
    }
    ThrownTypes.checkCaught(method, method);
    Refusals refusals = new Refusals();
    List<Parameter> parameters = parameters(refusals);
    // Where @Into stands is only judged among parameters that are all read.
    Optional<WireType> declared = refusals.maybe(() -> result(refusals.isEmpty() ? parameters : List.of()));
    refusals.check();
    checkRoutingKey();
    Optional<AnnotationMirror> maxReply = Annotations.find(method, AnnotationNames.MAX_REPLY);
    maxReply.ifPresent(this::checkMaxReply);
    Optional<Parameter> bound = maxReply.flatMap(m -> boundParameter(m, parameters, declared));
    int constant = maxReply.map(m -> Annotations.intValue(m, "value", -1)).orElse(-1);
    TypeName returnType = TypeName.get(signature.getReturnType());
    if (constant >= 0 && declared.isPresent() && isSequence(declared.get())) {
      return new Procedure(method, number, parameters, returnType,
          declared.map(type -> withMax(type, constant)), OptionalInt.empty(), bound, object);
    }
    return new Procedure(method, number, parameters, returnType, declared,
        constant < 0 ? OptionalInt.empty() : OptionalInt.of(constant), bound, object);
  }

  /** Its text has to be the same in each process. */
  private void checkRoutingKey() {
    VariableElement seen = null;
    for (int i = 0; i < method.getParameters().size(); i++) {
      VariableElement parameter = method.getParameters().get(i);
      Optional<AnnotationMirror> key = Annotations.find(parameter, AnnotationNames.ROUTING_KEY);
      if (key.isEmpty()) {
        continue;
      }
      if (seen != null) {
        throw Refusal.at(parameter, key.get(), "", "Calls are routed by one parameter: there is @RoutingKey at "
            + seen.getSimpleName() + " already");
      }
      seen = parameter;
      if (!isKey(signature.getParameterTypes().get(i))) {
        throw Refusal.at(parameter, key.get(), "", "@RoutingKey belongs on a String, whole number, boolean, char, UUID"
            + " or enum, not on " + signature.getParameterTypes().get(i));
      }
    }
  }

  private static boolean isKey(TypeMirror type) {
    if (type.getKind() == TypeKind.DECLARED
        && ((DeclaredType) type).asElement().getKind() == ElementKind.ENUM) {
      return true;
    }
    TypeName name = TypeName.get(type).withoutAnnotations();
    return KEYS.contains(name.isBoxedPrimitive() ? name.unbox().toString() : name.toString());
  }

  private static boolean isSequence(WireType type) {
    return (type instanceof NullableType nullable ? nullable.content() : type) instanceof SequenceType;
  }

  private static WireType withMax(WireType type, int max) {
    return type instanceof NullableType nullable ? new NullableType(withMax(nullable.content(), max))
        : ((SequenceType) type).withMax(max);
  }

  private List<Parameter> parameters(Refusals refusals) {
    List<Parameter> parameters = new ArrayList<>();
    for (int i = 0; i < method.getParameters().size(); i++) {
      VariableElement parameter = method.getParameters().get(i);
      TypeMirror type = signature.getParameterTypes().get(i);
      refusals.of(() -> parameter(parameter, type)).ifPresent(parameters::add);
    }
    return parameters;
  }

  private Parameter parameter(VariableElement parameter, TypeMirror type) {
    JavaNames.require(parameter);
    String name = parameter.getSimpleName().toString();
    Optional<AnnotationMirror> placed = Annotations.find(parameter, AnnotationNames.DIRECT_PLACEMENT);
    Optional<AnnotationMirror> into = Annotations.find(parameter, AnnotationNames.INTO);
    if (into.isPresent()) {
      if (!TypeReader.isPayload(type)) {
        throw Refusal.at(parameter, into.get(), "", "@Into belongs on a Payload");
      }
      if (placed.isPresent()) {
        throw Refusal.at(parameter, placed.get(), "",
            "A parameter with @Into is not sent and cannot be placed");
      }
      return new Parameter(name, TypeName.get(type), Optional.empty());
    }
    WireType wire = typeReader.read(type, parameter, Usage.of(parameter, parameter.asType()));
    if (placed.isPresent()) {
      wire = typeReader.withoutDefault(wire);
      refuseNullable(wire, parameter, placed.get());
      if (!(wire instanceof SequenceType) || ((SequenceType) wire).text()) {
        throw Refusal.at(parameter, placed.get(), "",
            "@DirectPlacement belongs on a Payload, Buffer or byte[], not on " + type);
      }
      wire = ((SequenceType) wire).asPlaced();
    }
    return new Parameter(name, TypeName.get(type), Optional.of(wire));
  }

  private Optional<WireType> result(List<Parameter> parameters) {
    TypeMirror returned = signature.getReturnType();
    if (returned.getKind() == TypeKind.ERROR) {
      throw new Unresolved(returned.toString(), method);
    }
    if (rules.isOneWay(returned)) {
      return Optional.empty();
    }
    boolean isFuture = returned.getKind() == TypeKind.DECLARED
        && TypeReader.nameOf(returned).equals(ClassNames.FUTURE.toString())
        && ((DeclaredType) returned).getTypeArguments().size() == 1;
    if (!isFuture) {
      throw Refusal.at(method, "A procedure must return a Future<…>, not " + returned + ": write " + future(returned));
    }
    TypeMirror argument = ((DeclaredType) returned).getTypeArguments().get(0);
    Optional<WireType> made = rules.object(argument);
    if (made.isPresent()) {
      return made;
    }
    boolean isVoid = argument.getKind() == TypeKind.DECLARED
        && TypeReader.nameOf(argument).equals("java.lang.Void");
    TypeMirror content = Wildcards.bound(argument);
    Optional<WireType> result = isVoid ? Optional.empty()
        : Optional.of(typeReader.read(content, method, Usage.of(method, method.getReturnType())));
    Optional<AnnotationMirror> placed = Annotations.find(method, AnnotationNames.DIRECT_PLACEMENT);
    checkInto(parameters, placed.isPresent() && TypeReader.isPayload(content));
    return placed.isPresent() ? Optional.of(placed(result.map(typeReader::withoutDefault), placed.get(), content))
        : result;
  }

  private static String future(TypeMirror returned) {
    boolean isClass = returned.getKind() == TypeKind.DECLARED || returned.getKind() == TypeKind.ARRAY;
    return isClass ? "Future<T>, where T is the type of the result"
        : "Future<" + ((ClassName) TypeName.get(returned).withoutAnnotations().box()).simpleName() + ">";
  }

  private WireType placed(Optional<WireType> result, AnnotationMirror annotation,
      TypeMirror content) {
    result.ifPresent(wire -> refuseNullable(wire, method, annotation));
    if (result.isEmpty() || !(result.get() instanceof SequenceType)
        || ((SequenceType) result.get()).text()) {
      throw Refusal.at(method, annotation, "",
          "@DirectPlacement belongs on a Payload, Buffer or byte[], not on " + content);
    }
    return ((SequenceType) result.get()).asPlaced();
  }

  private static void refuseNullable(WireType wire, Element element, AnnotationMirror placed) {
    if (wire instanceof NullableType) {
      throw Refusal.at(element, placed, "", "What is placed is never null: omit @Nullable and send an empty one");
    }
  }

  private void checkInto(List<Parameter> parameters, boolean placedPayload) {
    int seen = 0;
    for (int i = 0; i < parameters.size(); i++) {
      if (parameters.get(i).wire().isPresent()) {
        continue;
      }
      VariableElement parameter = method.getParameters().get(i);
      AnnotationMirror into = Annotations.find(parameter, AnnotationNames.INTO).orElseThrow();
      if (!placedPayload) {
        throw Refusal.at(parameter, into, "",
            "@Into needs a result that is a Payload with @DirectPlacement on the method");
      }
      if (++seen > 1) {
        throw Refusal.at(parameter, into, "", "A result can only go into one @Into parameter");
      }
    }
  }

  private void checkMaxReply(AnnotationMirror annotation) {
    boolean constant = Annotations.value(annotation, "value").isPresent();
    if (constant == Annotations.value(annotation, "parameter").isPresent()) {
      throw Refusal.at(method, annotation, "",
          "@MaxReply takes either a value or the name of a parameter");
    }
    if (constant && Annotations.intValue(annotation, "value", -1) < 0) {
      throw Refusal.at(method, annotation, "value", "A bound cannot be negative");
    }
  }

  private Optional<Parameter> boundParameter(AnnotationMirror annotation,
      List<Parameter> parameters, Optional<WireType> result) {
    Optional<String> name =
        Annotations.value(annotation, "parameter").map(v -> v.getValue().toString());
    if (name.isEmpty()) {
      return Optional.empty();
    }
    Parameter parameter = parameters.stream().filter(p -> p.name().equals(name.get()))
        .filter(p -> p.type().equals(TypeName.INT) || p.type().equals(TypeName.LONG)).findFirst()
        .orElseThrow(() -> Refusal.at(method, annotation, "parameter",
            "There is no int or long parameter \"" + name.get() + "\""));
    if (result.isEmpty() || !(result.get() instanceof SequenceType)) {
      throw Refusal.at(method, annotation, "parameter", "Only a Payload, Buffer, byte[] or text can"
          + " be bounded by a parameter");
    }
    return Optional.of(parameter);
  }
}
