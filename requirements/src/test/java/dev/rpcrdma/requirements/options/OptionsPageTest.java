// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.requirements.TestTree;
import dev.rpcrdma.verbs.options.Option;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** docs/options.md says of each option what its declaration says. */
class OptionsPageTest {

  private static final Path PAGE = TestTree.root().resolve("docs/options.md");

  /** Fails if an option is changed, and the page is not: {@code -Doptions.record=true} writes it. */
  @Test
  @DisplayName("The page has each option, as it is declared")
  void page() throws Exception {
    String page = Files.readString(PAGE);
    StringBuilder expected = new StringBuilder(page.substring(0, page.indexOf("\n## ")));
    for (OptionsPage.Section section : OptionsPage.SECTIONS) {
      expected.append(OptionsPage.table(section));
    }
    if (Boolean.getBoolean("options.record")) {
      Files.writeString(PAGE, expected);
    }
    assertThat(Files.readString(PAGE))
        .as("options have changed: run mvn test -pl requirements -am -Dtest=OptionsPageTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Doptions.record=true")
        .isEqualTo(expected.toString());
  }

  /** Fails if a class declares options and is on no page. */
  @Test
  @DisplayName("Each class that declares options has a table")
  void complete() throws IOException {
    Set<String> declaring = new TreeSet<>();
    for (Path source : TestTree.mainSources(TestTree.root())) {
      String text = Files.readString(TestTree.root().resolve(source));
      if (text.contains("new OptionSet(\"") || text.contains("COMMON.extended(\"")) {
        declaring.add(source.getFileName().toString().replace(".java", ""));
      }
    }
    assertThat(declaring).isEqualTo(OptionsPage.SECTIONS.stream()
        .map(section -> section.type().substring(section.type().lastIndexOf('.') + 1))
        .collect(Collectors.toCollection(TreeSet::new)));
  }

  /** Fails if a setter has another name than its option. */
  @Test
  @DisplayName("Each option has a getter of its name, and a setter where its class has setters")
  void accessors() throws Exception {
    List<String> missing = new ArrayList<>();
    for (OptionsPage.Section section : OptionsPage.SECTIONS) {
      Class<?> type = Class.forName(section.type());
      Set<String> methods = Arrays.stream(type.getMethods()).map(each -> each.getName()).collect(Collectors.toSet());
      for (Option<?> option : OptionsPage.own(section)) {
        String name = option.name();
        String capital = Character.toUpperCase(name.charAt(0)) + name.substring(1);
        boolean bean = methods.contains("get" + capital) || methods.contains("is" + capital);
        boolean adder = name.equals("providers") || name.equals("forwarded") || name.equals("delivered");
        if (!(bean ? adder || methods.contains("set" + capital) : methods.contains(name))) {
          missing.add(type.getSimpleName() + "." + name);
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  /** Fails if a getter gives another option's value. */
  @Test
  @DisplayName("Each getter gives its option's default, where nobody sets it")
  void defaults() throws Exception {
    for (OptionsPage.Section section : OptionsPage.SECTIONS) {
      Class<?> type = Class.forName(section.type());
      Object usual = Modifier.isAbstract(type.getModifiers()) ? new RpcClientOptions()
          : hasDefault(type) ? type.getField("DEFAULT").get(null) : type.getConstructor().newInstance();
      for (Option<?> option : OptionsPage.own(section)) {
        for (Method method : type.getMethods()) {
          String name = method.getName().replaceFirst("^(get|is)(?=[A-Z])", "");
          // The longest delay is the shortest one, where nobody sets it.
          if (method.getParameterCount() == 0 && name.equalsIgnoreCase(option.name())
              && !name.equals("maxDelayMillis")) {
            assertThat(method.invoke(usual)).as(type.getSimpleName() + "." + method.getName())
                .hasToString(option.byDefault().toString().replace("Optional.empty",
                    method.getReturnType() == OptionalInt.class ? "OptionalInt.empty" : "Optional.empty"));
          }
        }
      }
    }
  }

  private static boolean hasDefault(Class<?> type) {
    return Arrays.stream(type.getFields()).anyMatch(field -> field.getName().equals("DEFAULT"));
  }
}
