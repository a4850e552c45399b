// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ProcedureMapTest {

  private static final ProcedureBinding READ =
      new ProcedureBinding("READ", 0, 1, ReplyBound.of(8)).asIdempotent();
  private static final ProcedureBinding WRITE =
      new ProcedureBinding("WRITE", 1, 0, ReplyBound.of(4));

  @Test
  void isTheMapItWasMadeOfWhateverBecomesOfThat() {
    Map<Integer, ProcedureBinding> given = new HashMap<>(Map.of(6, READ, -1, WRITE));
    UpperLayerBinding binding = new UpperLayerBinding(1, 2, OptionalInt.empty(), given);
    given.clear();
    Map<Integer, ProcedureBinding> same = Map.of(-1, WRITE, 6, READ);
    assertThat(binding.procedures()).isEqualTo(same).hasSameHashCodeAs(same);
    assertThat(same).isEqualTo(binding.procedures());
    assertThat(binding.procedures().get(6)).isSameAs(READ);
    assertThat(binding.procedures()).containsKey(-1).doesNotContainKey(7);
    assertThat(binding.procedure(-1)).containsSame(WRITE);
    assertThat(binding.procedure(7)).isEmpty();
    assertThat(binding.procedure(0)).hasValueSatisfying(
        nothing -> assertThat(nothing.name()).isEqualTo("NULL"));
    assertThat(binding).isEqualTo(new UpperLayerBinding(1, 2, OptionalInt.empty(), same));
  }

  @Test
  void cannotBeChanged() {
    UpperLayerBinding binding =
        new UpperLayerBinding(1, 2, OptionalInt.empty(), Map.of(6, READ));
    assertThatThrownBy(() -> binding.procedures().put(7, WRITE))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> binding.procedures().remove(6))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> binding.procedures().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
