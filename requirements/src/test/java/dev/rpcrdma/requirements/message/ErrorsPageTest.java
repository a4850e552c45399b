// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.requirements.TestTree;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Each message that users can meet is explained in docs/errors.md, so that a search of the manual for it leads there.
 *
 * <p>These are the messages: what an {@code Rpc…Exception} or {@code VerbsException} is made with, what a call or a
 * connection fails with in {@code protocol}, what is wrong with a peer's startup, and what the annotation processor
 * refuses. Parts that vary are {@code …}.
 *
 * <p>Left out are other exceptions: an {@code IllegalArgumentException} or {@code IllegalStateException} comes at
 * the line of the application that is wrong, and says what is; what is wrong with bytes of the peer is a part of one of
 * the messages, behind a colon; and the internals of {@code protocol} speak to its maintainers. So are texts of the
 * log, and those of {@code doctor}, which say what to do by themselves.
 */
class ErrorsPageTest {

  private static final List<String> MODULES = List.of("api", "kerberos", "cluster", "service-proxy", "protocol",
      "spi-verbs", "provider-siw", "provider-ibverbs", "processor");
  private static final Pattern TYPES = Pattern.compile("Rpc\\w+Exception|VerbsException|ConnectionRejectedException|"
      + "StartupException|UnplannableException|(Outcome\\.)?Failed");
  /** Those that end a connection, or a message of a header type, are told to each call that was on it. */
  private static final Set<String> METHODS = Set.of("Messages.at", "Refusal.at", "core.fail", "exchange.fail",
      "disconnect", "failed", "fail", "call.refuse", "refuseLate", "requester.refuseLate", "refuseAtStart");
  private static final Pattern ENTRY = Pattern.compile("(?m)^\\| `([^`]+)` \\|");

  private static SortedMap<String, String> messages() throws IOException {
    SourceMessages messages = new SourceMessages(TYPES.asMatchPredicate(), METHODS);
    for (String module : MODULES) {
      messages.below(TestTree.root().resolve(module + "/src/main/java"));
    }
    return messages.found();
  }

  private static List<String> entries() throws IOException {
    return ENTRY.matcher(Files.readString(TestTree.root().resolve("docs/errors.md"))).results()
        .map(entry -> entry.group(1)).toList();
  }

  /** Fails if a message is changed, or a new one is made, and docs/errors.md has no line for it. */
  @Test
  @DisplayName("Each message that users can meet is on the page")
  void explained() throws IOException {
    SortedMap<String, String> missing = messages();
    missing.keySet().removeAll(Set.copyOf(entries()));
    assertThat(missing).as("Messages, and what makes them, that docs/errors.md does not explain. Write for each a line"
        + " that begins with it, in backticks: what it means, and what to do").isEmpty();
  }

  /** Fails if docs/errors.md has a message that is made no more, or one twice. */
  @Test
  @DisplayName("Each message on the page is still made, and is there once")
  void made() throws IOException {
    List<String> entries = entries();
    assertThat(entries).as("docs/errors.md has them twice").doesNotHaveDuplicates();
    Set<String> gone = new TreeSet<>(entries);
    gone.removeAll(messages().keySet());
    assertThat(gone).as("Nothing makes these messages of docs/errors.md any more").isEmpty();
  }

  /** Fails if a line of docs/errors.md lacks what a message means, or what helps. */
  @Test
  @DisplayName("Each line says what a message means, and what helps")
  void whole() throws IOException {
    assertThat(Files.readAllLines(TestTree.root().resolve("docs/errors.md"))).filteredOn(line -> line.startsWith("| `"))
        .allMatch(line -> line.matches("\\| `[^`]+` \\| [^|]{9,} \\| [^|]{6,} \\|"));
  }
}
