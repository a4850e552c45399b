// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** Fails if {@link ToolsCondition} skips a test where the lab is required, or runs one whose tools are missing. */
@DisplayName("Debian's tools")
final class DebianToolsTest {

  private static final String REQUIRED = "rpcrdma.lab";
  private static final String REASON = "No no-such-program, no /no/such/file here: apt-get install a b";
  private static boolean initialized;

  private final String before = System.getProperty(REQUIRED);

  /** Needs what no machine has; run by the tests here alone. */
  @NeedsTools(programs = {"no-such-program", "java"}, files = "/no/such/file", packages = "a b")
  static final class Needy {
    static {
      initialized = true;
    }

    @Test
    void one() {}

    @Test
    void two() {}
  }

  @AfterEach
  void restore() {
    set(before);
    initialized = false;
  }

  private static void set(String required) {
    if (required == null) {
      System.clearProperty(REQUIRED);
    } else {
      System.setProperty(REQUIRED, required);
    }
  }

  private static Events run() {
    return EngineTestKit.engine("junit-jupiter").selectors(selectClass(Needy.class)).execute().allEvents();
  }

  @Test
  @DisplayName("that are missing skip a class before anything of it is initialized")
  void skipped() {
    set("optional");
    Events events = run();
    assertThat(events.skipped().stream()).singleElement()
        .satisfies(event -> assertThat(event.getRequiredPayload(String.class)).isEqualTo(REASON));
    assertThat(events.failed().count()).isZero();
    assertThat(initialized).isFalse();
  }

  @Test
  @DisplayName("that are missing fail the class where the lab is required")
  void failed() {
    set("required");
    Events events = run();
    assertThat(events.skipped().count()).isZero();
    assertThat(events.failed().count()).isEqualTo(1);
    assertThat(initialized).isFalse();
  }

  @Test
  @DisplayName("that are there are not missing")
  void there(@TempDir Path folder) throws IOException {
    Path header = Files.createFile(folder.resolve("rpc.h"));
    Path program = Files.createFile(folder.resolve("rpcinfo"));
    assertThat(missing(folder, header)).containsExactly("rpcinfo");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(missing(folder, header)).isEmpty();
    Files.delete(header);
    assertThat(missing(folder, header)).containsExactly(header.toString());
  }

  private static List<String> missing(Path folder, Path header) {
    return DebianTools.missing(List.of("rpcinfo"), List.of(header), "/nowhere:" + folder);
  }
}
