// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Skips or fails a test whose {@link NeedsTools} are missing; registered by that annotation. */
public final class ToolsCondition implements ExecutionCondition, BeforeAllCallback, BeforeEachCallback {

  /** Created by JUnit. */
  public ToolsCondition() {}

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return obstacle(context).filter(reason -> !LabExtension.required())
        .map(ConditionEvaluationResult::disabled)
        .orElseGet(() -> ConditionEvaluationResult.enabled("Nothing is missing, or the lab is required"));
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    failIfMissing(context);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    failIfMissing(context);
  }

  private static void failIfMissing(ExtensionContext context) {
    obstacle(context).ifPresent(reason -> {
      throw new AssertionError(reason);
    });
  }

  private static Optional<String> obstacle(ExtensionContext context) {
    return AnnotationSupport.findAnnotation(context.getElement(), NeedsTools.class).flatMap(needs ->
        obstacle(needs, System.getenv("PATH")));
  }

  /** Returns the reason not to run on a machine with this PATH. */
  static Optional<String> obstacle(NeedsTools needs, String path) {
    List<String> missing = DebianTools.missing(List.of(needs.programs()),
        Stream.of(needs.files()).map(Path::of).toList(), path);
    return missing.isEmpty() ? Optional.empty() : Optional.of(DebianTools.reason(missing, needs.packages()));
  }
}
