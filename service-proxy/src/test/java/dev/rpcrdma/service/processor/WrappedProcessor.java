// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.ProcessingEnvironment;
import javax.annotation.processing.Processor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.TypeElement;

/** A processor as Gradle runs it: its environment is not javac's own. */
final class WrappedProcessor extends AbstractProcessor {

  private final Processor processor;

  WrappedProcessor(Processor processor) {
    this.processor = processor;
  }

  @Override
  public Set<String> getSupportedAnnotationTypes() {
    return processor.getSupportedAnnotationTypes();
  }

  @Override
  public SourceVersion getSupportedSourceVersion() {
    return processor.getSupportedSourceVersion();
  }

  @Override
  public synchronized void init(ProcessingEnvironment environment) {
    super.init(environment);
    processor.init((ProcessingEnvironment) Proxy.newProxyInstance(ProcessingEnvironment.class.getClassLoader(),
        new Class<?>[] {ProcessingEnvironment.class}, (proxy, method, arguments) -> {
          try {
            return method.invoke(environment, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        }));
  }

  @Override
  public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
    return processor.process(annotations, round);
  }
}
