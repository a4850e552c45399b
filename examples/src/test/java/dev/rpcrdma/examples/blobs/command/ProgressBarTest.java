// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Progress on terminals of any width. */
class ProgressBarTest {

  /** Fails if {@code ProgressBar} has a width of its own. */
  @ParameterizedTest
  @ValueSource(ints = {20, 32, 40, 60, 72, 80, 200})
  @DisplayName("The bar never reaches the last column, and is wiped out whole")
  void bar(int columns) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ProgressBar bar = new ProgressBar(new PrintStream(bytes, true, StandardCharsets.UTF_8), columns);
    bar.progress("read back", 500_000_000_000L, 999_999_000_000L);
    bar.progress("read back", 999_999_000_000L, 999_999_000_000L);
    bar.end();
    List<String> drawn = Stream.of(bytes.toString(StandardCharsets.UTF_8).split("\r")).filter(each -> !each.isEmpty())
        .toList();
    assertThat(drawn).hasSize(3).allSatisfy(each -> assertThat(each.length()).isLessThan(columns));
    assertThat(drawn.get(2)).isBlank().hasSizeGreaterThanOrEqualTo(drawn.get(1).length());
    assertThat(columns < 40 || drawn.get(1).contains("#] 100 %  999,999 MB")).isTrue();
  }
}
