// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.TypeName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.annotation.processing.Messager;
import javax.annotation.processing.ProcessingEnvironment;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.NestingKind;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;
import javax.tools.Diagnostic;

/** Turns an annotated interface into a {@link Program}, or reports why it cannot be one. */
final class ProgramReader {

  private final ProcessingEnvironment environment;
  private final Elements elements;
  private final Types types;
  private final Messager messager;
  private final ClassFiles classFiles;

  ProgramReader(ProcessingEnvironment environment, ClassFiles classFiles) {
    this.classFiles = classFiles;
    this.environment = environment;
    this.elements = environment.getElementUtils();
    this.types = environment.getTypeUtils();
    this.messager = environment.getMessager();
  }

  /**
   * Reads an interface.
   *
   * @param type the interface
   * @return empty if errors were reported
   * @throws Unresolved if it names a type that does not exist
   */
  Optional<Program> read(TypeElement type) {
    AnnotationMirror annotation = Annotations.find(type, AnnotationNames.RPC_PROGRAM).orElseThrow();
    try {
      checkInterface(type, "An @RpcProgram");
    } catch (Refusal e) {
      e.report(messager);
      return Optional.empty();
    }
    Refusals refusals = new Refusals();
    int port = refusals.of(() -> checkPort(type, annotation)).orElse(0);
    Optional<TypeName> callback = refusals.maybe(() -> callback(type, annotation));
    TypeReader typeReader = new TypeReader(environment, elements.getPackageOf(type),
        Program.generated(type, "RpcCodecs"), false, classFiles::hidden);
    List<Procedure> procedures = procedures(type, typeReader, refusals);
    if (!refusals.isEmpty()) {
      // Not earlier: had a type been unresolved, all of this would be read again.
      refusals.report(messager);
      return Optional.empty();
    }
    noteRoom(type, procedures);
    return Optional.of(new Program(type, Annotations.intValue(annotation, "number", 0),
        Annotations.intValue(annotation, "version", 0), port, callback, failures(annotation),
        List.of(new ServiceInterface(type, procedures, List.of())), typeReader.coded()));
  }

  /** Refuses what is no interface whose binding can be found; throws {@link Unresolved} for missing super types. */
  static void checkInterface(TypeElement type, String what) {
    SuperTypes.requireResolved(type);
    if (type.getKind() != ElementKind.INTERFACE) {
      throw Refusal.at(type, what.substring(what.indexOf('@')) + " belongs on an interface");
    }
    checkImplementable(type, what);
    for (Element e = type; e.getKind() != ElementKind.PACKAGE; e = e.getEnclosingElement()) {
      if (!e.getModifiers().contains(Modifier.PUBLIC)) {
        throw Refusal.at(type, what + " must be public, so that its binding can be found");
      }
    }
    if (type.getNestingKind() != NestingKind.TOP_LEVEL
        && type.getNestingKind() != NestingKind.MEMBER) {
      throw Refusal.at(type, what + " cannot be local");
    }
  }

  /** Refuses an interface that a proxy cannot implement. */
  static void checkImplementable(TypeElement type, String what) {
    if (!type.getTypeParameters().isEmpty()) {
      throw Refusal.at(type, what + " cannot be generic");
    }
    if (type.getModifiers().contains(Modifier.SEALED)) {
      throw Refusal.at(type, what + " cannot be sealed: generated code implements it");
    }
  }

  private static int checkPort(TypeElement type, AnnotationMirror annotation) {
    int port = Annotations.intValue(annotation, "port", 0);
    if (port < 0 || port > 65535) {
      throw Refusal.at(type, annotation, "port", "A port is 1 to 65535, or 0 for none");
    }
    return port;
  }

  private static FailureForm failures(AnnotationMirror annotation) {
    String said = Annotations.value(annotation, "failures").map(v -> v.getValue().toString()).orElse("");
    // The compiler may give the name of the class with that of the constant.
    return Arrays.stream(FailureForm.values()).filter(each -> said.endsWith(each.name())).findFirst()
        .orElse(FailureForm.UNION);
  }

  private static Optional<TypeName> callback(TypeElement type, AnnotationMirror annotation) {
    Optional<AnnotationValue> value = Annotations.value(annotation, "callback");
    if (value.isEmpty()) {
      return Optional.empty();
    }
    if (!(value.get().getValue() instanceof TypeMirror)) {
      throw new Unresolved(value.get().toString(), type);
    }
    TypeMirror callback = (TypeMirror) value.get().getValue();
    if (callback.getKind() == TypeKind.VOID) {
      return Optional.empty();
    }
    if (callback.getKind() == TypeKind.ERROR) {
      throw new Unresolved(callback.toString(), type);
    }
    if (callback.getKind() != TypeKind.DECLARED
        || !Annotations.has(((DeclaredType) callback).asElement(), AnnotationNames.RPC_PROGRAM)) {
      throw Refusal.at(type, annotation, "callback", callback + " is not an @RpcProgram");
    }
    return Optional.of(TypeName.get(callback));
  }

  private List<Procedure> procedures(TypeElement type, TypeReader typeReader, Refusals refusals) {
    List<Procedure> procedures = new ArrayList<>();
    Map<Integer, ExecutableElement> numbers = new HashMap<>();
    MetMethods met = new MetMethods(type, types);
    for (ExecutableElement method : ElementFilter.methodsIn(elements.getAllMembers(type))) {
      if (elements.getTypeElement("java.lang.Object").equals(method.getEnclosingElement())) {
        continue;
      }
      Element nearest = classFiles.hasSource(method) ? method : type;
      refusals.maybe(() -> classFiles.placed(nearest, () -> number(type, method, met, numbers)
          .map(number -> procedure(type, method, number, typeReader)))).ifPresent(procedures::add);
    }
    procedures.sort(Procedure.BY_NUMBER);
    return procedures;
  }

  private Procedure procedure(TypeElement type, ExecutableElement method, int number, TypeReader typeReader) {
    if (!method.getEnclosingElement().equals(type) && classFiles.hides(method)) {
      throw Refusal.at(type, method.getSimpleName() + " is inherited from " + method.getEnclosingElement() + ", which"
          + " comes from a class file, in which compilers before JDK 22 do not show its @Nullable: declare it here as"
          + " well, compile by JDK 22 or newer (--release 17 is well), or compile both together");
    }
    return new ProcedureReader(types, typeReader, ResultRules.FUTURES, type, method, number, Optional.empty()).read();
  }

  /** Says what it costs not to bound results: many do not know, and nothing is wrong with it. */
  private void noteRoom(TypeElement type, List<Procedure> procedures) {
    List<String> unbounded = procedures.stream()
        .filter(procedure -> !procedure.bounded() && procedure.bound().isEmpty()).map(Procedure::name).toList();
    if (!unbounded.isEmpty()) {
      messager.printMessage(Diagnostic.Kind.NOTE, "Nothing bounds the results of " + String.join(", ", unbounded)
          + ": servers of this library have large ones pulled, but of others each call reserves room for the"
          + " client's option maxReply, 64 KiB by default; @MaxReply on the method, or"
          + " CallOptions.withMaxReply, says how much it needs", type);
    }
  }

  /** The number of a method; empty if it is none of the program's. */
  private Optional<Integer> number(TypeElement type, ExecutableElement method, MetMethods met,
      Map<Integer, ExecutableElement> numbers) {
    ProxyMembers.check(type, method, types);
    boolean isAbstract = method.getModifiers().contains(Modifier.ABSTRACT);
    if (isAbstract) {
      met.add(method);
    }
    Optional<AnnotationMirror> annotation = Annotations.find(method, AnnotationNames.RPC_PROCEDURE);
    if (annotation.isEmpty()) {
      if (isAbstract) {
        boolean own = method.getEnclosingElement().equals(type);
        throw Refusal.at(own ? method : type,
            method.getSimpleName() + " needs an @RpcProcedure with a number");
      }
      return Optional.empty();
    }
    if (!isAbstract) {
      throw Refusal.at(method, annotation.get(), "",
          "@RpcProcedure belongs on abstract methods: this one has a body");
    }
    int number = Annotations.intValue(annotation.get(), "value", 0);
    if (number == 0) {
      throw Refusal.at(method, annotation.get(), "value",
          "Procedure 0 is every program's NULL procedure: numbers begin with 1");
    }
    ExecutableElement other = numbers.putIfAbsent(number, method);
    if (other != null) {
      throw Refusal.at(method, annotation.get(), "value",
          "Procedure " + Integer.toUnsignedString(number) + " is already " + other);
    }
    return Optional.of(number);
  }
}
