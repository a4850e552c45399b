// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Holds the project's list of requirements against the project's tests. */
class RequirementsTest {

  @Test
  @DisplayName("Each requirement has a test or an exception, and each mention a requirement")
  void listAndTestsAgree() throws IOException {
    Path root = TestTree.root();
    Coverage coverage = new Coverage(
        RequirementList.read(Files.readString(root.resolve("docs/requirements.md"))),
        TestTree.mentions(root));
    Path target = Files.createDirectories(root.resolve("target"));
    Files.writeString(target.resolve("requirements.md"), coverage.report());
    assertThat(coverage.problems()).isEmpty();
  }
}
