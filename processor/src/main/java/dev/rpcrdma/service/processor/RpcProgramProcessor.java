// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.Generated;
import javax.annotation.processing.ProcessingEnvironment;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;

/**
 * Generates proxy, handler, binding and codecs beside each interface with {@code @RpcProgram}. Each
 * generated file depends on its interface alone and on what that refers to, so incremental builds
 * need not run it for others.
 */
public final class RpcProgramProcessor extends AbstractProcessor {

  private ClassFiles classFiles;
  private ProgramFiles files;

  /** Called by the compiler. */
  public RpcProgramProcessor() {}

  /**
   * Our own, and the one our sources carry: with {@code -Xlint:processing} the compiler warns of an
   * annotation that nobody claims.
   */
  @Override
  public Set<String> getSupportedAnnotationTypes() {
    Set<String> names = new HashSet<>(AnnotationNames.ALL);
    names.add(Generated.class.getName());
    return names;
  }

  @Override
  public SourceVersion getSupportedSourceVersion() {
    return SourceVersion.latestSupported();
  }

  @Override
  public synchronized void init(ProcessingEnvironment environment) {
    super.init(environment);
    classFiles = new ClassFiles(environment);
    files = new ProgramFiles(environment, classFiles, type -> new ProgramReader(environment, classFiles).read(type));
  }

  @Override
  public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
    classFiles.round(round);
    files.round(round, annotated(AnnotationNames.RPC_PROGRAM, annotations, round));
    refuseStrays(annotated(AnnotationNames.RPC_PROCEDURE, annotations, round));
    return true;
  }

  /** What carries an annotation, in the order of the sources; nothing, if the round has none of it. */
  private static Set<Element> annotated(String name, Set<? extends TypeElement> annotations, RoundEnvironment round) {
    Set<Element> elements = new LinkedHashSet<>();
    for (TypeElement annotation : annotations) {
      if (annotation.getQualifiedName().contentEquals(name)) {
        elements.addAll(round.getElementsAnnotatedWith(annotation));
      }
    }
    return elements;
  }

  private void refuseStrays(Set<Element> methods) {
    for (Element method : methods) {
      Element owner = method.getEnclosingElement();
      if (!owner.getKind().isInterface()) {
        processingEnv.getMessager().printMessage(Diagnostic.Kind.ERROR,
            "@RpcProcedure belongs on methods of an @RpcProgram interface", method);
      }
    }
  }
}
