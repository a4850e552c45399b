// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How the script decides between KVM and emulation, with emulators that only pretend. It needs what
 * {@code lab check} needs, except for the emulator and an image.
 */
@DisplayName("The lab's accelerator")
@NeedsRoot
@NeedsTools(programs = {"bash", "python3", "sed"}, packages = "bash python3 sed")
@Tag("slow")
final class AcceleratorTest {

  /** What a kernel without a root says on its console, whose file is the first parameter. */
  private static final String COMES_UP =
      "echo 'Kernel panic - not syncing: VFS: Unable to mount root fs' >\"$1\"";

  @TempDir
  private Path directory;
  private Path programs;
  private ProcessBuilder script;

  @BeforeEach
  void prepare() throws IOException, InterruptedException {
    programs = Files.createDirectory(directory.resolve("programs"));
    script = new ProcessBuilder(LabScript.find(Path.of("")).orElseThrow().toString(),
        "accelerator").redirectErrorStream(true);
    script.environment().put("PATH", programs + ":" + System.getenv("PATH"));
    script.environment().put("RPCRDMA_LAB_DIR", directory.toString());
    script.environment().put("RPCRDMA_LAB_KVM_DEVICE",
        Files.createFile(directory.resolve("kvm")).toString());
    script.environment().put("RPCRDMA_LAB_PROBE_SECONDS", "1");
    script.environment().remove("RPCRDMA_LAB_ACCELERATOR");
    emulator("exit 1");
    // What is missing is said with the place where it is looked for.
    String missing = run();
    assumeThat(missing).as("what the script needs").contains("no image of kernel");
    Files.createDirectory(Path.of(missing.replaceFirst("(?s).* in (/[^;]*);.*", "$1")));
  }

  private void emulator(String text) throws IOException {
    Path file = programs.resolve("qemu-system-x86_64");
    // The console's option is the last: -serial file:PATH.
    Files.writeString(file, "#!/bin/bash\necho run >>" + directory.resolve("runs")
        + "\nset -- \"${@: -1:1}\"; set -- \"${1#file:}\"\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private String run() throws IOException, InterruptedException {
    Process process = script.start();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return new String(process.getInputStream().readAllBytes());
  }

  private long runs() throws IOException {
    Path runs = directory.resolve("runs");
    return Files.exists(runs) ? Files.readAllLines(runs).size() : 0;
  }

  @Test
  @DisplayName("is KVM when a kernel comes up by it, and that is found out once")
  void works() throws IOException, InterruptedException {
    emulator(COMES_UP);
    assertThat(run()).isEqualTo("kvm\n");
    assertThat(run()).isEqualTo("kvm\n");
    assertThat(runs()).isEqualTo(1);
  }

  @Test
  @DisplayName("is emulation when KVM fails at once")
  void fails() throws IOException, InterruptedException {
    emulator("kill -ABRT $$");
    assertThat(run()).isEqualTo("tcg\n");
    assertThat(runs()).isEqualTo(1);
  }

  @Test
  @DisplayName("is emulation when what KVM runs hangs")
  void hangs() throws IOException, InterruptedException {
    emulator("exec sleep 100");
    assertThat(run()).isEqualTo("tcg\n");
    assertThat(run()).isEqualTo("tcg\n");
    assertThat(runs()).isEqualTo(1);
  }

  @Test
  @DisplayName("is emulation without the device")
  void noDevice() throws IOException, InterruptedException {
    emulator(COMES_UP);
    script.environment().put("RPCRDMA_LAB_KVM_DEVICE", directory.resolve("none").toString());
    assertThat(run()).isEqualTo("tcg\n");
    assertThat(runs()).isZero();
  }

  @Test
  @DisplayName("is what the user says, and nothing is tried")
  void told() throws IOException, InterruptedException {
    emulator(COMES_UP);
    script.environment().put("RPCRDMA_LAB_ACCELERATOR", "tcg");
    assertThat(run()).isEqualTo("tcg\n");
    script.environment().put("RPCRDMA_LAB_ACCELERATOR", "hvf");
    assertThat(run()).isEqualTo("lab: RPCRDMA_LAB_ACCELERATOR is auto, kvm or tcg, not hvf\n");
    assertThat(runs()).isZero();
  }
}
