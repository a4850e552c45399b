// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.VariableElement;

/**
 * A method of an annotated interface, checked.
 *
 * @param method the method
 * @param number the procedure's number
 * @param parameters all parameters
 * @param returnType a {@code Future}; of a service of the event bus also nothing, or the service itself
 * @param result its content; empty for {@code Void}
 * @param maxReply the size of the encoded result by annotation, if that is all that bounds it
 * @param bound the parameter that bounds the result
 * @param object the interface of the objects that it belongs to; empty if it is the program's own
 */
record Procedure(ExecutableElement method, int number, List<Parameter> parameters,
    TypeName returnType, Optional<WireType> result, OptionalInt maxReply,
    Optional<Parameter> bound, Optional<ClassName> object) {

  /** Order of procedures, whose numbers are unsigned. */
  static final Comparator<Procedure> BY_NUMBER =
      Comparator.comparingLong(procedure -> Integer.toUnsignedLong(procedure.number()));

  /** Largest room of a call for a placed result, as in {@code ProxyCall}: a larger bound is none. */
  private static final int MOST_ROOM = Integer.MAX_VALUE - 16;

  /**
   * A parameter.
   *
   * @param name its name
   * @param type its type
   * @param wire how it crosses; empty if it names the target of the result
   */
  record Parameter(String name, TypeName type, Optional<WireType> wire) {}

  /** The method's name. */
  String name() {
    return method.getSimpleName().toString();
  }

  /** The method's name, with that of its interface if there are several. */
  String qualifiedName() {
    return object.map(type -> type.simpleName() + "." + name()).orElseGet(this::name);
  }

  /** The parameter by which calls are routed. */
  Optional<? extends VariableElement> routingKey() {
    return method.getParameters().stream()
        .filter(parameter -> Annotations.has(parameter, AnnotationNames.ROUTING_KEY)).findFirst();
  }

  /** Whether nobody waits for the outcome. */
  boolean oneWay() {
    return !(returnType instanceof ParameterizedTypeName);
  }

  /** Whether it returns what it was called on. */
  boolean fluent() {
    return oneWay() && !returnType.equals(TypeName.VOID);
  }

  /** Whether it closes what it is called on. */
  boolean closes() {
    return Annotations.find(method, ProxyGenRules.CLOSE).isPresent();
  }

  /** The parameters that are on the wire. */
  List<Parameter> sent() {
    return parameters.stream().filter(p -> p.wire().isPresent()).toList();
  }

  /** The parameter that names the target of the result. */
  Optional<Parameter> into() {
    return parameters.stream().filter(p -> p.wire().isEmpty()).findFirst();
  }

  /** The result if it is a string or opaque. */
  Optional<SequenceType> sequenceResult() {
    return result.filter(SequenceType.class::isInstance).map(SequenceType.class::cast);
  }

  /** The result if it is an object, which may be null. */
  Optional<ObjectType> resultObject() {
    return result.filter(NullableType.class::isInstance).map(type -> ((NullableType) type).content())
        .filter(ObjectType.class::isInstance).map(ObjectType.class::cast);
  }

  /** Whether the result is placed directly. */
  boolean placedResult() {
    return sequenceResult().map(SequenceType::placed).orElse(false);
  }

  /** How many arguments are DDP-eligible. */
  int placedArguments() {
    return (int) sent().stream().map(p -> p.wire().orElseThrow())
        .filter(t -> t instanceof SequenceType && ((SequenceType) t).placed()).count();
  }

  /** Whether it may be executed again before its outcome is known. */
  boolean idempotent() {
    return Annotations.has(method, AnnotationNames.IDEMPOTENT);
  }

  /** Whether it only looks. */
  boolean readOnly() {
    return Annotations.has(method, AnnotationNames.READ_ONLY);
  }

  /** Whether a call makes room for the item that is placed; else it is pulled, as any result without a bound. */
  boolean placedRoom() {
    return placedResult() && (into().isPresent() || bound.isPresent()
        || sequenceResult().orElseThrow().max() <= MOST_ROOM);
  }

  /** The largest result without the item that is placed, or {@link WireType#UNBOUNDED}. */
  long most() {
    if (placedResult() && !placedRoom()) {
      return WireType.UNBOUNDED;
    }
    long most = result.map(WireType::most).orElse(0L);
    return most == WireType.UNBOUNDED && maxReply.isPresent() ? maxReply.getAsInt() : most;
  }

  /** Whether the types and annotations say how large the results without placed items get. */
  boolean bounded() {
    return most() != WireType.UNBOUNDED && most() <= Integer.MAX_VALUE - 4;
  }
}
