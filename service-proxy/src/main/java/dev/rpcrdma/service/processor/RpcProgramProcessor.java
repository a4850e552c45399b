package dev.rpcrdma.service.processor;

import dev.rpcrdma.service.DirectPlacement;
import dev.rpcrdma.service.Idempotent;
import dev.rpcrdma.service.Into;
import dev.rpcrdma.service.MaxLength;
import dev.rpcrdma.service.MaxReply;
import dev.rpcrdma.service.ReadOnly;
import dev.rpcrdma.service.RoutingKey;
import dev.rpcrdma.service.RpcProcedure;
import dev.rpcrdma.service.RpcProgram;
import dev.rpcrdma.service.XdrCase;
import dev.rpcrdma.service.XdrValue;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.Generated;
import javax.annotation.processing.ProcessingEnvironment;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;

/**
 * Generates proxy, handler, binding and codecs beside each interface with {@link RpcProgram}. Each
 * generated file depends on its interface alone and on what that refers to, so incremental builds
 * need not run it for others.
 */
public final class RpcProgramProcessor extends AbstractProcessor {

  private ProgramFiles files;

  /** Called by the compiler. */
  public RpcProgramProcessor() {}

  /**
   * Our own, and the one our sources carry: with {@code -Xlint:processing} the compiler warns of an
   * annotation that nobody claims.
   */
  @Override
  public Set<String> getSupportedAnnotationTypes() {
    return Stream.of(RpcProgram.class, RpcProcedure.class, DirectPlacement.class, Into.class,
        MaxReply.class, MaxLength.class, Idempotent.class, ReadOnly.class, XdrValue.class,
        XdrCase.class, RoutingKey.class, Generated.class)
        .map(Class::getName).collect(Collectors.toSet());
  }

  @Override
  public SourceVersion getSupportedSourceVersion() {
    return SourceVersion.latestSupported();
  }

  @Override
  public synchronized void init(ProcessingEnvironment environment) {
    super.init(environment);
    files = new ProgramFiles(environment, type -> new ProgramReader(environment).read(type));
  }

  @Override
  public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
    files.round(round, round.getElementsAnnotatedWith(RpcProgram.class));
    refuseStrays(round);
    return true;
  }

  private void refuseStrays(RoundEnvironment round) {
    for (Element method : round.getElementsAnnotatedWith(RpcProcedure.class)) {
      Element owner = method.getEnclosingElement();
      if (!owner.getKind().isInterface()) {
        processingEnv.getMessager().printMessage(Diagnostic.Kind.ERROR,
            "@RpcProcedure belongs on methods of an @RpcProgram interface", method);
      }
    }
  }
}
