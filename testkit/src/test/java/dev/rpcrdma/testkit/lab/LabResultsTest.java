// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the script {@code .ci/results} makes of reports, and of changes, in a repository of its own. */
@DisplayName("Results of the lab's full runs")
@NeedsTools(programs = {"git", "python3"}, packages = "git python3")
@Tag("slow")
final class LabResultsTest {

  private static final Path SCRIPT = Path.of("..", ".ci", "results").toAbsolutePath();
  private static final String PASSED = "<testcase classname='b.Test' name='says yes' time='1.5'/>";
  private static final String OTHERS = """
      <testcase classname='a.Test' name='x&#10;y' time='2'><failure message='no'/></testcase>
      <testcase classname='a.Test' name='z' time='0'><skipped message='no'/></testcase>
      """;

  @TempDir
  private Path repository;

  private record Outcome(int status, String output) {}

  @BeforeEach
  void prepare() throws IOException, InterruptedException {
    git("init", "-q");
    file("protocol/src/main/Code.java", "one");
    file("docs/page.md", "one");
    commit();
  }

  private void file(String name, String text) throws IOException {
    Path file = repository.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private void commit() throws IOException, InterruptedException {
    git("add", "-A");
    git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "-m", "a change");
  }

  private void git(String... arguments) throws IOException, InterruptedException {
    Outcome outcome = run("git", arguments);
    assertThat(outcome.status()).as(outcome.output()).isZero();
  }

  private Outcome results(String... arguments) throws IOException, InterruptedException {
    return run(SCRIPT.toString(), arguments);
  }

  private Outcome run(String program, String... arguments)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(program).redirectErrorStream(true)
        .directory(repository.toFile());
    builder.command().addAll(List.of(arguments));
    Map<String, String> environment = builder.environment();
    // A hook of git may be what runs this.
    environment.keySet().removeIf(name -> name.startsWith("GIT_"));
    environment.put("GIT_CONFIG_GLOBAL", "/dev/null");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    return new Outcome(process.exitValue(), output);
  }

  private void report(String cases) throws IOException {
    file("api/target/surefire-reports/TEST-b.xml", "<testsuite>" + cases + "</testsuite>");
  }

  private void write(String cases) throws IOException, InterruptedException {
    report(cases);
    assertThat(results("write", "6.1").status()).isZero();
  }

  @Test
  @DisplayName("are a line for each test")
  void lines() throws IOException, InterruptedException {
    write(PASSED + OTHERS);
    String commit = run("git", "rev-parse", "HEAD").output().strip();
    assertThat(repository.resolve("testkit/lab/results/6.1.tsv")).hasContent(
        "commit\tkernel\ttest\tseconds\toutcome\n"
        + commit + "\t6.1\tapi a.Test.x y\t2\tfailed\n"
        + commit + "\t6.1\tapi a.Test.z\t0\tskipped\n"
        + commit + "\t6.1\tapi b.Test.says yes\t1.5\tpassed\n");
  }

  @Test
  @DisplayName("stay good until something changes that they are about")
  void stale() throws IOException, InterruptedException {
    write(PASSED);
    commit();
    file("docs/page.md", "two");
    file("testkit/lab/README.md", "two");
    commit();
    assertThat(results("check", "6.1"))
        .isEqualTo(new Outcome(0, "results of kernel 6.1: up to date\n"));
    file("protocol/src/main/Code.java", "two");
    commit();
    Outcome changed = results("check", "6.1");
    assertThat(changed.status()).isEqualTo(1);
    assertThat(changed.output()).contains("1 files", "protocol/src/main/Code.java");
  }

  @Test
  @DisplayName("are missed for each kernel that has none")
  void missing() throws IOException, InterruptedException {
    write(PASSED);
    assertThat(results("check", "6.1", "6.12")).isEqualTo(new Outcome(1,
        "results of kernel 6.1: up to date\nresults of kernel 6.12: there are none\n"));
  }

  @Test
  @DisplayName("prove nothing with a failure, of an unknown commit, or in another form")
  void worthless() throws IOException, InterruptedException {
    write(PASSED + OTHERS);
    assertThat(results("check", "6.1").output()).contains("failed: api a.Test.x y");
    String line = "\t6.1\tapi b.Test.x\t1\tpassed\n";
    file("testkit/lab/results/6.1.tsv",
        "commit\tkernel\ttest\tseconds\toutcome\n" + "0".repeat(40) + line);
    assertThat(results("check", "6.1").output()).contains("not known");
    file("testkit/lab/results/6.1.tsv", "nonsense\n");
    assertThat(results("check", "6.1").output()).contains("cannot be read");
  }

  @Test
  @DisplayName("of other parts are a file each, and go stale and fail as those of the lab do")
  void parts() throws IOException, InterruptedException {
    file("bench/results/README.md", "one");
    assertThat(results("check", "hunt").output()).isEqualTo("results of hunt: there are none\n");
    report(PASSED);
    assertThat(results("record", "hunt", "12", "mvn verify -Phunt").status()).isZero();
    assertThat(repository.resolve("bench/results/full-hunt.json")).content()
        .contains("\"seconds\": 12", "\"tests\": 1", "\"failed\": 0", "\"command\": \"mvn verify -Phunt\"");
    assertThat(results("check", "hunt")).isEqualTo(new Outcome(0, "results of hunt: up to date\n"));
    file("protocol/src/main/Code.java", "two");
    commit();
    assertThat(results("check", "hunt").output()).contains("1 files", "protocol/src/main/Code.java");
    report(PASSED + OTHERS);
    assertThat(results("record", "hunt", "12", "mvn verify -Phunt").status()).isZero();
    assertThat(results("check", "hunt").output()).contains("1 tests failed");
  }
}
