// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IbverbsOptionsTest {

  @Test
  void theDefaultsNeedNoSettings() {
    assertThat(IbverbsOptions.of(new JsonObject())).isEqualTo(IbverbsOptions.DEFAULT);
  }

  @Test
  void eachSettingHasItsPlace() {
    IbverbsOptions options = IbverbsOptions.of(new JsonObject().put("device", "mlx5_0").put("inlineBytes", 1)
        .put("startupTimeoutMillis", 2).put("closeTimeoutMillis", 3).put("revokeTimeoutMillis", 4)
        .put("maxPendingConnections", 5).put("busyPollMicros", 6).put("nudgeMillis", 7));
    assertThat(options.device()).contains("mlx5_0");
    assertThat(new int[] {options.inlineBytes(), options.startupTimeoutMillis(), options.closeTimeoutMillis(),
        options.revokeTimeoutMillis(), options.maxPendingConnections(), options.busyPollMicros(),
        options.nudgeMillis()}).containsExactly(1, 2, 3, 4, 5, 6, 7);
  }

  @ParameterizedTest
  @CsvSource({"inlineBytes,-1", "inlineBytes,1025", "startupTimeoutMillis,0", "closeTimeoutMillis,0",
      "revokeTimeoutMillis,0", "maxPendingConnections,0", "busyPollMicros,-1", "busyPollMicros,1000001",
      "nudgeMillis,-1"})
  void whatIsOutOfRangeIsRefused(String name, int value) {
    assertThatThrownBy(() -> IbverbsOptions.of(new JsonObject().put(name, value)))
        .isInstanceOf(VerbsException.class).hasMessageStartingWith("Wrong settings: ibverbs setting " + name + " is ");
  }

  @Test
  void anotherTypeIsRefused() {
    assertThatThrownBy(() -> IbverbsOptions.of(new JsonObject().put("inlineBytes", "many")))
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("inlineBytes is a whole number, not the text \"many\"");
  }
}
