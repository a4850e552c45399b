// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.replies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ReplyEstimateTest {

  @Test
  @DisplayName("Fails if the first reply is not believed at once, or a shorter one is before it is seen often")
  void longestOfTheLast() {
    ReplyEstimate estimate = new ReplyEstimate(ReplyEstimate.FIRST);
    assertThat(estimate.expected()).isEqualTo(65_536);
    estimate.made(8000);
    assertThat(estimate.expected()).isEqualTo(8000);
    estimate.made(88_000);
    assertThat(estimate.expected()).isEqualTo(88_000);
    estimate.made(8000);
    assertThat(estimate.expected()).isEqualTo(78_000);
    for (int i = 0; i < 100; i++) {
      estimate.made(8000);
    }
    assertThat(estimate.expected()).isEqualTo(8000);
  }

  @Test
  @DisplayName("Fails if short replies take room")
  void shortOnes() {
    ReplyEstimate estimate = new ReplyEstimate(ReplyEstimate.FIRST);
    estimate.made(ReplyEstimate.LEAST);
    assertThat(estimate.expected()).isEqualTo(ReplyEstimate.LEAST);
    estimate.made(0);
    assertThat(estimate.expected()).isZero();
  }

  @Test
  @DisplayName("Fails if what a binding bounds is not taken for that")
  void bindings() {
    ReplyEstimates estimates = ReplyEstimates.of(new UpperLayerBinding(1, 1, OptionalInt.empty(), Map.of(
        1, new ProcedureBinding("SHORT", 0, 0, ReplyBound.of(ReplyEstimate.LEAST - 4)),
        2, new ProcedureBinding("LONG", 0, 0, ReplyBound.of(10_000)),
        3, new ProcedureBinding("HUGE", 0, 0, ReplyBound.of(10_000_000)),
        4, new ProcedureBinding("ANY", 0, 0, ReplyBound.UNPREDICTABLE))));
    assertThat(estimates.of(1)).isNull();
    assertThat(estimates.of(2).expected()).isEqualTo(10_000);
    assertThat(estimates.of(3).expected()).isEqualTo(65_536);
    assertThat(estimates.of(4).expected()).isEqualTo(65_536);
    assertThat(estimates.of(5)).as("a procedure that is not there").isNull();
  }
}
