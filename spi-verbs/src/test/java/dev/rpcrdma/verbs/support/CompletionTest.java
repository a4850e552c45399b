// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One object for all completions. */
@DisplayName("support: completions")
final class CompletionTest {

  private final Completion completion = new Completion();

  @Test
  @DisplayName("A completion that is filled anew has nothing of the one before")
  void filledAnew() {
    assertThat(completion.ofMessage(7, 100, true, 99)).isSameAs(completion);
    assertThat(completion.id()).isEqualTo(7);
    assertThat(completion.opcode()).isEqualTo(Opcode.RECEIVE);
    assertThat(completion.status()).isEqualTo(Status.SUCCESS);
    assertThat(completion.byteLength()).isEqualTo(100);
    assertThat(completion.invalidated()).isTrue();
    assertThat(completion.invalidatedTag()).isEqualTo(99);
    assertThat(completion.of(8, Opcode.WRITE, Status.FLUSHED)).isSameAs(completion);
    assertThat(completion.id()).isEqualTo(8);
    assertThat(completion.opcode()).isEqualTo(Opcode.WRITE);
    assertThat(completion.status()).isEqualTo(Status.FLUSHED);
    assertThat(completion.byteLength()).isZero();
    assertThat(completion.invalidated()).isFalse();
    assertThat(completion.invalidatedTag()).isZero();
  }
}
