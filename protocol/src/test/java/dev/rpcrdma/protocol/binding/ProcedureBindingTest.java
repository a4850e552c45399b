// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ProcedureBindingTest {

  private static final ProcedureBinding PLAIN =
      new ProcedureBinding("READ", 0, 1, ReplyBound.of(8));

  @Test
  void whatOnlyLooksIsIdempotentToo() {
    assertThat(PLAIN.idempotent()).isFalse();
    assertThat(PLAIN.readOnly()).isFalse();
    assertThat(PLAIN.asReadOnly().readOnly()).isTrue();
    assertThat(PLAIN.asReadOnly().idempotent()).isTrue();
    assertThat(new ProcedureBinding("READ", 0, 1, ReplyBound.of(8), false, true))
        .isEqualTo(PLAIN.asReadOnly());
  }

  @Test
  void whatIsIdempotentMayChangeThings() {
    assertThat(PLAIN.asIdempotent().idempotent()).isTrue();
    assertThat(PLAIN.asIdempotent().readOnly()).isFalse();
    assertThat(PLAIN.asReadOnly().asIdempotent()).isEqualTo(PLAIN.asReadOnly());
  }

  @Test
  void theNullProcedureOnlyLooks() {
    UpperLayerBinding empty = new UpperLayerBinding(1, 2, OptionalInt.empty(), Map.of());
    assertThat(empty.procedure(0)).hasValueSatisfying(
        nothing -> assertThat(nothing.readOnly()).isTrue());
  }

  @Test
  void countsOfItemsAreNotNegative() {
    ProcedureBinding none = new ProcedureBinding("READ", 0, 0, ReplyBound.of(8));
    assertThat(none.eligibleArguments()).isZero();
    assertThat(none.eligibleResults()).isZero();
    assertThatThrownBy(() -> new ProcedureBinding("READ", -1, 0, ReplyBound.of(8)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ProcedureBinding("READ", 0, -1, ReplyBound.of(8)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aBoundIsKnownFromZeroOn() {
    assertThat(ReplyBound.of(0).bytes()).isZero();
    assertThat(ReplyBound.of(0).predictable()).isTrue();
    assertThat(ReplyBound.of(8).predictable()).isTrue();
    assertThat(ReplyBound.UNPREDICTABLE.predictable()).isFalse();
    assertThat(new ReplyBound(-1)).isEqualTo(ReplyBound.UNPREDICTABLE);
    assertThatThrownBy(() -> ReplyBound.of(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ReplyBound(-2)).isInstanceOf(IllegalArgumentException.class);
  }
}
