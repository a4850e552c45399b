// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The binding says what RFC 8267 says. */
class NfsBindingTest {

  private static int[] proceduresWithOne(ToIntFunction<ProcedureBinding> items) {
    return IntStream.rangeClosed(0, 21).filter(number -> items.applyAsInt(
        NfsBinding.BINDING.procedure(number).orElseThrow()) == 1).toArray();
  }

  @Test
  @DisplayName("RFC 8267 §4: eligible are data of READ and WRITE, paths of SYMLINK and READLINK")
  void eligibleItems() {
    assertThat(proceduresWithOne(ProcedureBinding::eligibleArguments)).containsExactly(7, 10);
    assertThat(proceduresWithOne(ProcedureBinding::eligibleResults)).containsExactly(5, 6);
    assertThat(NfsBinding.BINDING.procedure(22)).isEmpty();
  }

  @Test
  @DisplayName("R-183: the port of NFS over RDMA")
  void port() {
    assertThat(NfsBinding.BINDING.port()).hasValue(20_049);
  }

  @Test
  @DisplayName("RFC 1813 §4.5: those that only look may be executed at any time, COMMIT again, and no other")
  void repetitions() {
    assertThat(procedures(ProcedureBinding::readOnly))
        .containsExactly(0, 1, 3, 4, 5, 6, 16, 17, 18, 19, 20);
    assertThat(procedures(ProcedureBinding::idempotent))
        .containsExactly(0, 1, 3, 4, 5, 6, 16, 17, 18, 19, 20, 21);
  }

  private static int[] procedures(Predicate<ProcedureBinding> which) {
    return IntStream.rangeClosed(0, 21)
        .filter(number -> which.test(NfsBinding.BINDING.procedure(number).orElseThrow())).toArray();
  }

  @Test
  @DisplayName("R-201: all replies are bounded, those of listings by their calls")
  void bounds() {
    assertThat(IntStream.rangeClosed(0, 21).filter(number -> NfsBinding.BINDING.procedure(number)
        .orElseThrow().replyBound().equals(ReplyBound.UNPREDICTABLE))).containsExactly(16, 17);
  }
}
