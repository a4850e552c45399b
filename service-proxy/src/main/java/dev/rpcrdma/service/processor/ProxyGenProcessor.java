package dev.rpcrdma.service.processor;

import java.util.LinkedHashSet;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;

/**
 * Generates what {@link RpcProgramProcessor} does, beside each service of the event bus ({@code @ProxyGen}) that has a
 * {@link NumberList}. It claims no annotation: they are those of the event bus's own generator.
 */
public final class ProxyGenProcessor extends AbstractProcessor {

  /** Interfaces, by name, that refer to types which another processor may yet generate. */
  private final Set<String> deferred = new LinkedHashSet<>();

  /** Called by the compiler. */
  public ProxyGenProcessor() {}

  @Override
  public Set<String> getSupportedAnnotationTypes() {
    return Set.of(ProxyGenRules.SERVICE);
  }

  @Override
  public Set<String> getSupportedOptions() {
    return Set.of(NumberLists.DIRECTORY);
  }

  @Override
  public SourceVersion getSupportedSourceVersion() {
    return SourceVersion.latestSupported();
  }

  @Override
  public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
    Set<String> names = new LinkedHashSet<>(deferred);
    deferred.clear();
    for (TypeElement annotation : annotations) {
      for (Element element : round.getElementsAnnotatedWith(annotation)) {
        names.add(((TypeElement) element).getQualifiedName().toString());
      }
    }
    if (!round.processingOver()) {
      names.forEach(this::process);
    }
    return false;
  }

  private void process(String name) {
    TypeElement type = processingEnv.getElementUtils().getTypeElement(name);
    try {
      new ProxyGenReader(processingEnv).read(type).ifPresent(new ProgramFiles(processingEnv)::generate);
    } catch (Unresolved e) {
      // If it stays unresolved, the compiler reports it at its place.
      deferred.add(name);
    }
  }
}
