// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import java.util.LinkedHashSet;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.ProcessingEnvironment;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.TypeElement;

/**
 * Generates what {@link RpcProgramProcessor} does, beside each service of the event bus ({@code @ProxyGen}) that has a
 * {@link NumberList}. It claims no annotation: they are those of the event bus's own generator.
 *
 * <p>That generator claims its annotations, so the compiler passes them to no processor behind it. This processor
 * supports all annotations, so that the compiler calls it there if the sources have any other annotation.
 *
 * <p>The list is a resource and no part of an interface. So the processor is declared to Gradle as aggregating: Gradle
 * runs it for all services whenever it compiles a source.
 */
public final class ProxyGenProcessor extends AbstractProcessor {

  private ClassFiles classFiles;
  private ProgramFiles files;

  /** Called by the compiler. */
  public ProxyGenProcessor() {}

  @Override
  public Set<String> getSupportedAnnotationTypes() {
    return Set.of("*");
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
  public synchronized void init(ProcessingEnvironment environment) {
    super.init(environment);
    classFiles = new ClassFiles(environment);
    files = new ProgramFiles(environment, classFiles, type -> new ProxyGenReader(environment, classFiles).read(type));
  }

  @Override
  public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
    classFiles.round(round);
    TypeElement service = processingEnv.getElementUtils().getTypeElement(ProxyGenRules.SERVICE);
    // In the order of the sources, so that the same files are made each time.
    files.round(round, service == null ? Set.of() : new LinkedHashSet<>(round.getElementsAnnotatedWith(service)));
    return false;
  }
}
