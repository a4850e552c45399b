// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which kernel a run is for. */
@DisplayName("The kernel of a test run")
final class LabKernelTest {

  private final String before = System.getProperty(LabKernel.PROPERTY);

  @AfterEach
  void restore() {
    if (before == null) {
      System.clearProperty(LabKernel.PROPERTY);
    } else {
      System.setProperty(LabKernel.PROPERTY, before);
    }
  }

  @Test
  @DisplayName("is named by its series")
  void named() {
    System.setProperty(LabKernel.PROPERTY, "6.12");
    assertThat(LabKernel.ofRun()).contains(LabKernel.LINUX_6_12);
    System.setProperty(LabKernel.PROPERTY, "");
    assertThat(LabKernel.ofRun()).isEmpty();
  }

  @Test
  @DisplayName("is refused if the lab has none of that series")
  void unknown() {
    System.setProperty(LabKernel.PROPERTY, "6.2");
    assertThatThrownBy(LabKernel::ofRun).isInstanceOf(IllegalArgumentException.class)
        .hasMessage("The lab has no kernel 6.2, but 6.1, 6.12");
  }
}
