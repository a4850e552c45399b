// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a peer can provoke is said once of each procedure, and of not too many. */
class SaidOnceTest {

  private final SaidOnce said = new SaidOnce();

  @Test
  @DisplayName("The first time of each procedure")
  void first() {
    assertThat(said.first("Orders/place")).isTrue();
    assertThat(said.first("Orders/list")).isTrue();
    assertThat(said.first("Orders/place")).isFalse();
  }

  /** Fails if a peer that calls ever other procedures fills the log, and the heap. */
  @Test
  @DisplayName("Of a thousand procedures, and no more")
  void bounded() {
    assertThat(IntStream.range(0, 5_000).filter(i -> said.first("procedure " + i)).count()).isEqualTo(1_000);
  }
}
