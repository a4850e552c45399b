package dev.rpcrdma.testkit.lab;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Gives tests the lab's machine; used through {@link WithLab}. */
public final class LabExtension
    implements ExecutionCondition, BeforeEachCallback, ParameterResolver, InvocationInterceptor {

  private static final String REQUIRED = "required";

  /** The lab of one test run. Closed by JUnit at its end. */
  private static final class Lab implements AutoCloseable {

    private final Optional<LabScript> script = LabScript.find(Path.of(""));
    private final Optional<String> obstacle = script.isEmpty()
        ? Optional.of("no script testkit/lab/lab here or above; name it by -D" + LabScript.PROPERTY)
        : script.get().obstacle();
    private final Optional<LabVm> vm = script.map(LabVm::new);

    Lab() {
      obstacle.ifPresent(reason -> System.err.println("Tests of the lab "
          + (required() ? "cannot run: " : "are skipped: ") + reason));
    }

    LabVm booted() {
      obstacle.ifPresent(reason -> {
        throw new IllegalStateException("The lab is required, and cannot run: " + reason);
      });
      LabVm machine = vm.orElseThrow();
      try {
        machine.boot();
      } catch (IllegalStateException first) {
        System.err.println(first.getMessage() + "; trying once more");
        machine.boot();
      }
      return machine;
    }

    @Override
    public void close() {
      vm.ifPresent(LabVm::close);
    }
  }

  /** Created by JUnit. */
  public LabExtension() {}

  /**
   * Whether what the lab's tests need must be there, so that they fail instead of being skipped.
   *
   * @return true if the user has said so
   */
  public static boolean required() {
    return REQUIRED.equals(System.getProperty("rpcrdma.lab", System.getenv("RPCRDMA_LAB")));
  }

  private static Lab lab(ExtensionContext context) {
    return context.getRoot().getStore(ExtensionContext.Namespace.create(LabExtension.class))
        .getOrComputeIfAbsent(Lab.class, type -> new Lab(), Lab.class);
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Lab lab = lab(context);
    return lab.obstacle.isPresent() && !required()
        ? ConditionEvaluationResult.disabled("The lab cannot run: " + lab.obstacle.get())
        : ConditionEvaluationResult.enabled("The lab can run, or is required");
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    lab(context).booted();
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == LabVm.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return lab(context).vm.orElseThrow();
  }

  @Override
  public void interceptTestMethod(Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method, ExtensionContext context) throws Throwable {
    onceMoreIfCrashed(invocation, method, context);
  }

  @Override
  public void interceptTestTemplateMethod(Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method, ExtensionContext context) throws Throwable {
    onceMoreIfCrashed(invocation, method, context);
  }

  private static void onceMoreIfCrashed(Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method, ExtensionContext context) throws Throwable {
    try {
      invocation.proceed();
    } catch (Throwable failure) {
      if (!lab(context).vm.orElseThrow().dies()) {
        throw failure;
      }
      System.err.println("The lab's machine crashed in " + context.getDisplayName() + " ("
          + failure + "); running it once more on a new one");
      lab(context).booted();
      again(method);
    }
  }

  private static void again(ReflectiveInvocationContext<Method> method) throws Throwable {
    try {
      method.getExecutable().setAccessible(true);
      method.getExecutable().invoke(method.getTarget().orElse(null),
          method.getArguments().toArray());
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
