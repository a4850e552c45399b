// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which machine runs when, by a script that boots none and writes down what it is asked for. */
@DisplayName("The lab of a test run")
final class LabTest {

  /** The kernel 6.1 is there, and 6.12 is when the file "newer" is. */
  private static final String SCRIPT = """
      #!/bin/bash
      cd "${0%/*}"
      kernel=$2
      case "$*" in
        *check)
          echo "check $kernel" >>log
          [ "$kernel" = 6.1 ] || [ -e newer ] || { echo "no kernel $kernel" >&2; exit 1; } ;;
        *boot*)
          [ ! -e "fail" ] || { rm fail; echo "broken"; exit 1; }
          echo "boot $kernel" >>log
          echo "VM is ready"
          cat >/dev/null
          echo "end $kernel" >>log ;;
      esac
      """;

  @TempDir
  private Path directory;
  private LabScript script;

  @BeforeEach
  void write() throws IOException {
    Path file = directory.resolve("lab");
    Files.writeString(file, SCRIPT);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    script = new LabScript(file);
  }

  private Lab lab(boolean required) {
    return new Lab(Optional.of(script), required);
  }

  private List<String> log() throws IOException {
    return Files.readAllLines(directory.resolve("log"));
  }

  @Test
  @DisplayName("runs the machines of two kernels one after the other, and each as long as it is used")
  void oneAfterTheOther() throws IOException {
    Files.createFile(directory.resolve("newer"));
    try (Lab lab = lab(false)) {
      lab.boot(LabKernel.LINUX_6_1);
      lab.boot(LabKernel.LINUX_6_1);
      lab.boot(LabKernel.LINUX_6_12);
      lab.boot(LabKernel.LINUX_6_12);
      lab.boot(LabKernel.LINUX_6_1);
      assertThat(lab.machine(LabKernel.LINUX_6_1).kernel()).isEqualTo(LabKernel.LINUX_6_1);
    }
    assertThat(log()).containsExactly("check 6.1", "boot 6.1", "check 6.12", "end 6.1",
        "boot 6.12", "end 6.12", "boot 6.1", "end 6.1");
  }

  @Test
  @DisplayName("lacks one kernel: only its tests are skipped, and the reason is asked for once")
  void oneKernelMissing() throws IOException {
    try (Lab lab = lab(false)) {
      assertThat(lab.obstacle(LabKernel.LINUX_6_1)).isEmpty();
      assertThat(lab.obstacle(LabKernel.LINUX_6_12)).contains("no kernel 6.12");
      assertThat(lab.obstacle(LabKernel.LINUX_6_12)).contains("no kernel 6.12");
    }
    assertThat(log()).containsExactly("check 6.1", "check 6.12");
  }

  @Test
  @DisplayName("is required and lacks a kernel: its tests fail, with the reason")
  void requiredAndMissing() {
    try (Lab lab = lab(true)) {
      assertThatThrownBy(() -> lab.boot(LabKernel.LINUX_6_12))
          .isInstanceOf(IllegalStateException.class).hasMessageContaining("no kernel 6.12");
    }
  }

  @Test
  @DisplayName("boots once more when a machine does not come up")
  void secondTry() throws IOException {
    Files.createFile(directory.resolve("fail"));
    try (Lab lab = lab(false)) {
      lab.boot(LabKernel.LINUX_6_1);
      assertThat(lab.machine(LabKernel.LINUX_6_1).alive()).isTrue();
    }
    assertThat(log()).containsExactly("check 6.1", "boot 6.1", "end 6.1");
  }

  @Test
  @Timeout(30)
  @DisplayName("does not wait for a script that never says how the boot went")
  void hangs() throws IOException {
    Files.writeString(directory.resolve("lab"), "#!/bin/bash\nexec sleep 100\n");
    try (LabVm machine = new LabVm(script, LabKernel.LINUX_6_1, Duration.ofMillis(200))) {
      assertThatThrownBy(machine::boot).isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("does not boot");
    }
  }

  @Test
  @DisplayName("has no script: nothing runs")
  void noScript() {
    try (Lab lab = new Lab(Optional.empty(), false)) {
      assertThat(lab.obstacle(LabKernel.LINUX_6_1)).get().asString().contains("no script");
    }
  }
}
