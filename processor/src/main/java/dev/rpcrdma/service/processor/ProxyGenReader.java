// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.annotation.processing.ProcessingEnvironment;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.ExecutableType;
import javax.lang.model.util.ElementFilter;

/**
 * Turns a service of the event bus into a {@link Program}, by the numbers that its {@link NumberList} gives to its
 * methods, and to those of the objects that they make. Whatever is no primitive may be null, as on the event bus.
 */
final class ProxyGenReader {

  private final ProcessingEnvironment environment;
  private final ClassFiles classFiles;
  private final ProxyGenRules rules;
  private final Set<String> listed = new HashSet<>();
  private final List<String> missing = new ArrayList<>();
  private final List<Refusal> refusals = new ArrayList<>();

  ProxyGenReader(ProcessingEnvironment environment, ClassFiles classFiles) {
    this.classFiles = classFiles;
    this.environment = environment;
    this.rules = new ProxyGenRules(environment.getElementUtils());
  }

  /**
   * Reads an interface.
   *
   * @param type the interface
   * @return empty if it has no list of numbers, or errors were reported
   * @throws Unresolved if it names a type that does not exist
   */
  Optional<Program> read(TypeElement type) {
    if (Annotations.has(type, AnnotationNames.RPC_PROGRAM)) {
      return Optional.empty();
    }
    try {
      Optional<NumberList> numbers = new NumberLists(environment).find(type);
      return numbers.flatMap(list -> classFiles.placed(type, () -> read(type, list)));
    } catch (Refusal e) {
      e.report(environment.getMessager());
      return Optional.empty();
    }
  }

  private Optional<Program> read(TypeElement type, NumberList numbers) {
    ProgramReader.checkInterface(type, "A @ProxyGen");
    TypeReader types = new TypeReader(environment, environment.getElementUtils().getPackageOf(type),
        Program.generated(type, "RpcCodecs"), true, record -> Set.of());
    List<ServiceInterface> interfaces = new ArrayList<>();
    interfaces.add(read(type, type, Optional.empty(), types, numbers));
    // Those of objects whose methods make objects of others are met on the way.
    for (int i = 0; i < rules.objects().size(); i++) {
      TypeElement object = List.copyOf(rules.objects()).get(i);
      SuperTypes.requireResolved(object);
      ProgramReader.checkImplementable(object, "The @ProxyGen interface of an object");
      interfaces.add(read(type, object, Optional.of(ClassName.get(object)), types, numbers));
    }
    checkList(type, numbers);
    refusals.forEach(refusal -> refusal.report(environment.getMessager()));
    return refusals.isEmpty() ? Optional.of(new Program(type, numbers.program(), numbers.version(), 0,
        Optional.empty(), FailureForm.MESSAGES, interfaces, types.coded())) : Optional.empty();
  }

  private ServiceInterface read(TypeElement service, TypeElement type, Optional<ClassName> object, TypeReader types,
      NumberList numbers) {
    List<Procedure> procedures = new ArrayList<>();
    List<MethodSpec> ignored = new ArrayList<>();
    MetMethods met = new MetMethods(type, environment.getTypeUtils());
    for (ExecutableElement method : ElementFilter.methodsIn(
        environment.getElementUtils().getAllMembers(type))) {
      Element nearest = classFiles.hasSource(method) ? method : classFiles.hasSource(type) ? type : service;
      try {
        ProxyMembers.check(type, method, environment.getTypeUtils());
        if (!method.getModifiers().contains(Modifier.ABSTRACT)) {
          ProxyGenRules.checkClosing(method, owner(type, method));
          continue;
        }
        met.add(method);
        if (Annotations.find(method, ProxyGenRules.IGNORE).isPresent()) {
          ProxyGenRules.checkClosing(method, owner(type, method));
          JavaNames.require(method);
          ignored.add(MethodSpec.overriding(method, (DeclaredType) type.asType(), environment.getTypeUtils()).build());
        } else {
          procedures.add(procedure(type, object, method, types, numbers));
        }
      } catch (Refusal e) {
        refusals.add(e.placed(classFiles::hasSource, nearest));
      }
    }
    procedures.sort(Procedure.BY_NUMBER);
    return new ServiceInterface(type, procedures, ignored);
  }

  private Procedure procedure(TypeElement type, Optional<ClassName> object, ExecutableElement method,
      TypeReader types, NumberList numbers) {
    String signature = signature(type, object, method);
    listed.add(signature);
    Integer number = numbers.numbers().get(signature);
    if (number == null) {
      missing.add(signature);
    }
    ProxyGenRules.checkFluent(method, owner(type, method));
    ProxyGenRules.checkClosing(method, owner(type, method));
    return new ProcedureReader(environment.getTypeUtils(), types, rules, type, method, number == null ? 0 : number,
        object).read();
  }

  private static Element owner(TypeElement type, ExecutableElement method) {
    return method.getEnclosingElement().equals(type) ? method : type;
  }

  /** What the list calls a method: all that matters to its callers. */
  private String signature(TypeElement type, Optional<ClassName> object, ExecutableElement method) {
    ExecutableType seen = (ExecutableType) environment.getTypeUtils()
        .asMemberOf((DeclaredType) type.asType(), method);
    return object.map(name -> name.canonicalName() + ".").orElse("") + method.getSimpleName()
        + seen.getParameterTypes().stream().map(each -> TypeName.get(each).toString())
            .collect(Collectors.joining(", ", "(", ")"))
        + ": " + TypeName.get(seen.getReturnType());
  }

  private void checkList(TypeElement type, NumberList numbers) {
    if (!missing.isEmpty()) {
      refusals.add(Refusal.at(type, numbers.file() + " has no number for each method; append\n"
          + String.join("\n", numbers.continued(missing))));
    }
    List<String> gone = numbers.numbers().keySet().stream().filter(each -> !listed.contains(each)).toList();
    if (!gone.isEmpty()) {
      refusals.add(Refusal.at(type, numbers.file() + " has numbers for methods that are gone: their numbers stay"
          + " taken, so write \"" + NumberList.REMOVED + "\" in front of " + gone.stream()
          .map(each -> "\"" + numbers.line(each) + "\"").collect(Collectors.joining(", "))));
    }
  }
}
