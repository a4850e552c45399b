// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.ManualPage;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The code of docs/testing.md is that of tests that are run: those of the package {@code page}. */
class TestingPageTest {

  private static final Path FOLDER = Path.of("src/test/java/dev/rpcrdma/service/page");

  @Test
  @DisplayName("All code of the page is compiled, and run as tests")
  void page() {
    assertThat(ManualPage.of("testing.md").notIn(FOLDER.resolve("OrdersTest.java"),
        FOLDER.resolve("OrdersBesideVertxTest.java"), FOLDER.resolve("OrdersOverLossTest.java"))).isEmpty();
  }
}
