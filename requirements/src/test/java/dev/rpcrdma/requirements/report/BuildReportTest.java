// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fails if a report of surefire is counted, compared or summed up wrongly. */
@DisplayName("The report of a build")
final class BuildReportTest {

  @TempDir
  private Path root;
  private BuildReport report;

  @BeforeEach
  void reports() throws IOException {
    write("one", "a.QuickTest", 2.9, """
        <testcase name="x" classname="a.QuickTest"/>
        <testcase name="y" classname="a.QuickTest"><skipped message="No gcc here: apt-get install gcc"/></testcase>
        """, 2);
    write("one", "a.TardyTest", 3.1, "<testcase name='x' classname='a.TardyTest'/>", 1);
    write("two", "b.LateTest", 12.1, """
        <testcase name="x" classname="b.LateTest"><skipped type="t"><![CDATA[org.opentest4j.TestAbortedException: No IPv6
          at somewhere]]></skipped></testcase>
        <testcase name="z" classname="b.LateTest"><skipped message="No gcc here: apt-get install gcc"/></testcase>
        """, 2);
    report = new BuildReport(ClassReport.readAll(root, Instant.EPOCH), each -> SizeTag.NONE);
  }

  private void write(String module, String name, double seconds, String cases, int tests) throws IOException {
    Path folder = Files.createDirectories(root.resolve(module).resolve("target/surefire-reports"));
    Files.writeString(folder.resolve("TEST-" + name + ".xml"),
        "<testsuite name=\"shown\" time=\"" + seconds + "\" tests=\"" + tests + "\">" + cases + "</testsuite>");
  }

  @Test
  @DisplayName("counts skipped tests in one line, the most frequent reason first")
  void skipped() {
    assertThat(report.skipped())
        .isEqualTo("Skipped 3 of 5 tests: 2 (No gcc here: apt-get install gcc), 1 (No IPv6).");
  }

  @Test
  @DisplayName("names classes above their size, and those at a multiple of it")
  void sizes() {
    assertThat(report.aboveTheirSize(1)).containsExactly(
        "   12.1  two b.LateTest, above 3 s: tag it, or make it faster",
        "    3.1  one a.TardyTest, above 3 s: tag it, or make it faster");
    assertThat(report.aboveTheirSize(4)).singleElement().asString().contains("b.LateTest");
    assertThat(report.slowest()).hasSize(4).element(1).asString().contains("b.LateTest");
  }

  @Test
  @DisplayName("fails the gate and no other build")
  void gate() throws IOException {
    assertThat(print(false).lines()).hasSize(3).last().asString().startsWith("Skipped 3 of 5 tests: ");
    assertThatThrownBy(() -> print(true)).hasMessageContaining("b.LateTest");
    Path source = Files.createDirectories(root.resolve("two/src/test/java/b")).resolve("LateTest.java");
    Files.writeString(source, "@Tag(\"slow\")\nclass LateTest {}");
    print(true);
  }

  private String print(boolean gate) throws IOException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    BuildReport.print(root, Instant.EPOCH, gate, new PrintStream(printed, true, StandardCharsets.UTF_8));
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Test
  @DisplayName("leaves out reports of earlier builds")
  void earlier() throws IOException {
    Files.setLastModifiedTime(root.resolve("one/target/surefire-reports/TEST-a.QuickTest.xml"),
        FileTime.from(Instant.EPOCH));
    assertThat(ClassReport.readAll(root, Instant.now().minusSeconds(60))).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"class A | NONE", "@Tag(\"slow\") | SLOW", "@Tag(\"large\") | LARGE",
      "@Tag(\"tools\") | NONE", "@WithLab | LARGE", "' @Tag(\"slow\")' | NONE", "@Tag(\"seeded\") | LARGE"})
  @DisplayName("reads the tag of a class, not of its methods")
  void tags(String source, SizeTag size) {
    assertThat(SizeTag.of("import a.B;\n\n" + source + "\nclass C {}\n")).isEqualTo(size);
  }
}
