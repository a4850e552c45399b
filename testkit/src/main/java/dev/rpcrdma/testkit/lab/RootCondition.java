// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips a test that {@link NeedsRoot}; registered by that annotation. */
public final class RootCondition implements ExecutionCondition {

  /** Created by JUnit. */
  public RootCondition() {}

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return isRoot() || LabExtension.required() ? ConditionEvaluationResult.enabled("Root, or the lab is required")
        : ConditionEvaluationResult.disabled("Not root here: run the tests as root");
  }

  private static boolean isRoot() {
    try {
      return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    } catch (IOException | UnsupportedOperationException e) {
      // Only Linux says so there.
      return false;
    }
  }
}
