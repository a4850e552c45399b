// SPDX-License-Identifier: Apache-2.0
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
import org.junit.platform.commons.support.AnnotationSupport;

/** Gives tests the lab's machine; used through {@link WithLab}. */
public final class LabExtension
    implements ExecutionCondition, BeforeEachCallback, ParameterResolver, InvocationInterceptor {

  private static final String REQUIRED = "required";

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
        .getOrComputeIfAbsent(Lab.class, type -> new Lab(LabScript.find(Path.of("")), required()),
            Lab.class);
  }

  /** The kernel that a test, or a class of tests, insists on. */
  private static Optional<LabKernel> needed(ExtensionContext context) {
    return AnnotationSupport.findAnnotation(context.getElement(), OnKernel.class)
        .or(() -> AnnotationSupport.findAnnotation(context.getTestClass(), OnKernel.class))
        .map(OnKernel::value);
  }

  private static LabKernel kernel(ExtensionContext context) {
    return needed(context).or(LabKernel::ofRun).orElse(LabKernel.LINUX_6_1);
  }

  /** Each method of a class is asked for: they may have kernels of their own. */
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (context.getTestMethod().isEmpty()) {
      return ConditionEvaluationResult.enabled("Its methods are judged one by one");
    }
    LabKernel kernel = kernel(context);
    if (LabKernel.ofRun().filter(ofRun -> ofRun != kernel).isPresent()) {
      return ConditionEvaluationResult.disabled("It needs kernel " + kernel.series()
          + ", and this run is for " + LabKernel.ofRun().get().series());
    }
    Lab lab = lab(context);
    return lab.obstacle(kernel).filter(reason -> !lab.required())
        .map(reason -> ConditionEvaluationResult.disabled("The lab cannot run: " + reason))
        .orElseGet(() -> ConditionEvaluationResult.enabled("The lab can run, or is required"));
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    lab(context).boot(kernel(context));
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == LabVm.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return lab(context).machine(kernel(context));
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
      if (!lab(context).machine(kernel(context)).dies()) {
        throw failure;
      }
      System.err.println("The lab's machine crashed in " + context.getDisplayName() + " ("
          + failure + "); running it once more on a new one");
      lab(context).boot(kernel(context));
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
