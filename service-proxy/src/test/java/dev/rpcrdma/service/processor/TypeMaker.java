// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import java.io.IOException;
import java.io.Writer;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.TypeElement;

/** Another processor, which makes the type {@code p.Made} in its first round. */
@SupportedAnnotationTypes("*")
final class TypeMaker extends AbstractProcessor {

  private final String text;
  private boolean done;

  /** Makes a type by the text of its declaration. */
  TypeMaker(String text) {
    this.text = text;
  }

  @Override
  public SourceVersion getSupportedSourceVersion() {
    return SourceVersion.latestSupported();
  }

  @Override
  public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
    if (!done) {
      done = true;
      try (Writer writer =
          processingEnv.getFiler().createSourceFile("p.Made").openWriter()) {
        writer.write("package p; " + text);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
    return false;
  }
}
