// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is heard of a process, and that nothing of it stays. */
class ChildProcessTest {

  @TempDir
  private Path folder;

  private static ChildProcess.Setup shell(String script) {
    return ChildProcess.command(List.of("/bin/sh", "-c", script));
  }

  @Test
  @DisplayName("Lines are heard one after the other, and others are skipped")
  void lines() {
    try (ChildProcess process = shell("echo a; echo 'b 1'; while read line; do echo \"said $line\"; done").start()) {
      assertThat(process.hear("b")).isEqualTo("1");
      assertThat(process.ask("x", "said")).isEqualTo("x");
      assertThat(process.ask("y", "")).isEqualTo("said y");
      assertThat(process.output()).isEqualTo("a\nb 1\nsaid x\nsaid y\n");
    }
  }

  /** Fails if {@code ChildProcess.hear} takes the end of the output for the end of a line, or waits for a dead one. */
  @Test
  @DisplayName("A line that is not whole, or never comes, is no line")
  void missing() {
    try (ChildProcess process = shell("printf whole").start()) {
      process.await();
      assertThatThrownBy(() -> process.hear("whole")).isInstanceOf(AssertionError.class)
          .hasMessageContaining("has ended, and not written \"whole\": whole");
    }
    try (ChildProcess process = shell("read line").deadline(Duration.ofMillis(50)).start()) {
      assertThatThrownBy(() -> process.hear("x")).isInstanceOf(AssertionError.class)
          .hasMessageContaining("does not write \"x\"");
    }
  }

  @Test
  @DisplayName("Environment, folder, errors and output are as they are set")
  void setup() throws Exception {
    Path output = folder.resolve("output");
    Path errors = folder.resolve("errors");
    try (ChildProcess process = shell("echo $A; pwd; echo bad >&2; read x || exit 3").environment(Map.of("A", "1"))
        .directory(folder).output(output).errors(ProcessBuilder.Redirect.to(errors.toFile())).withoutInput().start()) {
      assertThat(process.await()).isEqualTo(3);
    }
    assertThat(Files.readAllLines(output)).containsExactly("1", folder.toRealPath().toString());
    assertThat(Files.readString(errors)).isEqualTo("bad\n");
  }

  @Test
  @DisplayName("It is killed, with what it has begun, and its temporary output goes")
  void killed() {
    ChildProcess process = shell("sleep 100 & echo $!; wait").start();
    long begun = Long.parseLong(process.hear(""));
    assertThat(process.process().isAlive()).isTrue();
    process.destroy();
    Waiting.until(() -> ProcessHandle.of(begun).filter(ProcessHandle::isAlive).isEmpty());
    assertThatThrownBy(process::output).isInstanceOf(UncheckedIOException.class);
    try (ChildProcess other = shell("kill -9 $$").start()) {
      assertThat(other.await()).isEqualTo(128 + 9);
    }
  }

  /** Fails if {@code ChildProcess.close} does not end the input, or leaves the output behind. */
  @Test
  @DisplayName("It ends by itself when its input ends, and its temporary output goes")
  void closed() {
    ChildProcess process = shell("while read line; do :; done; exit 7").start();
    process.close();
    assertThat(process.await()).isEqualTo(7);
    assertThatThrownBy(process::output).isInstanceOf(UncheckedIOException.class);
  }

  /** Fails if {@code ChildProcess.kill} asks instead. */
  @Test
  @DisplayName("One that wants to go on is killed")
  void deaf() {
    try (ChildProcess process = shell("trap '' TERM; echo deaf; read line").start()) {
      process.hear("deaf");
      process.signal("TERM");
      assertThat(process.process().isAlive()).isTrue();
      assertThat(process.kill()).isEqualTo(128 + 9);
    }
  }

  /** Fails if {@code ChildProcess.tell} waits without a deadline. */
  @Test
  @DisplayName("One that does not read is told no more than its pipe holds, and killed")
  void unread() {
    try (ChildProcess process = shell("sleep 100").deadline(Duration.ofMillis(50)).start()) {
      assertThatThrownBy(() -> process.tell("x".repeat(1 << 20))).isInstanceOf(AssertionError.class)
          .hasMessageContaining("does not read 1048577 bytes");
    }
  }

  /** Fails if {@code ChildProcess.tell} leaves its writer behind when its thread is to stop. */
  @Test
  @DisplayName("Who is interrupted while telling can close what does not read")
  void interruptedTeller() {
    ChildProcess process = shell("sleep 100").start();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> process.tell("x".repeat(1 << 20))).isInstanceOf(AssertionError.class)
        .hasMessage("Interrupted");
    assertThat(Thread.interrupted()).isTrue();
    process.close();
    assertThat(process.process().isAlive()).isFalse();
  }

  /** Fails if {@code ChildProcess.hear} goes on when its thread is to stop. */
  @Test
  @DisplayName("Who is interrupted waits no longer")
  void interrupted() {
    try (ChildProcess process = shell("read line").start()) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> process.hear("x")).isInstanceOf(AssertionError.class).hasMessage("Interrupted");
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  /** Fails if {@code Setup.start} keeps the temporary file of what was not started. */
  @Test
  @DisplayName("A program that is missing fails by its name, and leaves no file")
  void missingProgram() throws Exception {
    String name = "missing-" + UUID.randomUUID();
    assertThatThrownBy(ChildProcess.command(List.of(name))::start).isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(name);
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      assertThat(files).noneMatch(file -> file.getFileName().toString().startsWith(name));
    }
  }
}
