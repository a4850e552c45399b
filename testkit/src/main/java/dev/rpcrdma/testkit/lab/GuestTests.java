// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Test classes of this JVM's class path, run by JUnit in one JVM of the lab's machine. Its
 * {@code junit-platform-console} must be on that class path. Surefire must not take the classes for its own: their
 * names end otherwise than those of tests.
 */
public final class GuestTests {

  private static final String CONSOLE = "org.junit.platform.console.ConsoleLauncher";
  private static final Pattern COUNT = Pattern.compile("\\[ *(\\d+) tests (found|successful) *]");

  private GuestTests() {}

  /**
   * What they have said, all of them being green.
   *
   * @param tests how many there were
   * @param output JUnit's, and theirs
   */
  public record Green(int tests, String output) {

    /**
     * What a test wants people to read, printed here too.
     *
     * @param prefix of its lines
     * @return this
     */
    public Green print(String prefix) {
      output.lines().filter(line -> line.startsWith(prefix)).forEach(System.out::println);
      return this;
    }
  }

  /**
   * Runs them.
   *
   * @param vm where
   * @param limit how long all may take
   * @param properties of the system, as {@code name=value}
   * @param classes of tests
   * @return how many tests there were
   * @throws AssertionError unless there are some, and all of them succeed; one that is skipped does not
   */
  public static Green run(LabVm vm, Duration limit, List<String> properties, Class<?>... classes) {
    LabResult result = new GuestJava(vm, CONSOLE).start(limit, properties, Stream.concat(
        Stream.of("execute", "--disable-banner", "--disable-ansi-colors", "--details=tree"),
        Stream.of(classes).map(type -> "--select-class=" + type.getName().replace("$", "\\$"))).toArray(String[]::new))
        .await().expectSuccess();
    int found = count(result.output(), "found");
    if (found == 0 || count(result.output(), "successful") != found) {
      throw new AssertionError("Not all tests are green: " + result.output());
    }
    return new Green(found, result.output());
  }

  private static int count(String output, String kind) {
    Matcher matcher = COUNT.matcher(output);
    int count = 0;
    while (matcher.find()) {
      if (matcher.group(2).equals(kind)) {
        count = Integer.parseInt(matcher.group(1));
      }
    }
    return count;
  }
}
