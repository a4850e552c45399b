// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is taken for a message. */
class SourceMessagesTest {

  @TempDir
  private Path folder;

  private Set<String> messages(String statements) throws IOException {
    Files.writeString(folder.resolve("A.java"), "class A { private static final String NAME = \"By a name\";"
        + " void f(int a, String b) { " + statements + " } }");
    return new SourceMessages("Bad"::equals, Set.of("x.fail")).below(folder).found().keySet();
  }

  /** Fails if {@code SourceMessages.texts} does not go into one of these expressions. */
  @Test
  @DisplayName("Texts, sums, choices and names of constants are found, with what varies left out")
  void found() throws IOException {
    assertThat(messages("throw new Bad(Kind.B, \"No \" + a + b + \" here: \" + f(\"not this\"), null);"))
        .containsExactly("No … here: …");
    assertThat(messages("x.fail(a > 0 ? \"One thing\" : (\"Another \" + \"thing\"), NAME);"))
        .containsExactlyInAnyOrder("One thing", "Another thing", "By a name");
    assertThat(messages("new Bad(switch (a) { case 1 -> \"First case\"; default -> \"Case \" + a + \" of\"; });"))
        .containsExactlyInAnyOrder("First case", "Case … of");
    assertThat(messages("new Bad(\"At \" + (a > 0 ? \"one\" : \"other\") + \" end\");")).containsExactly("At … end");
  }

  /** Fails if {@code SourceMessages} takes each call or construction, or a text without a space. */
  @Test
  @DisplayName("Other constructions and calls, values and single words are no messages")
  void others() throws IOException {
    assertThat(messages("new Good(\"Not a message\"); y.fail(\"Not a message\"); new Bad(b, \"word\", a + b);"))
        .isEmpty();
  }
}
