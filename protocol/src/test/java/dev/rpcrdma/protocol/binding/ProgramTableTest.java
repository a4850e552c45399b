// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ProgramTableTest {

  private static final int XID = 0x11223344;
  private static final int PROGRAM = 0x20000001;
  private static final ProcedureBinding READ =
      new ProcedureBinding("READ", 0, 1, ReplyBound.of(8));
  private static final ProcedureBinding WRITE =
      new ProcedureBinding("WRITE", 1, 0, ReplyBound.of(4));

  private final ProgramTable<String> programs = new ProgramTable<>();

  private void add(int program, int version, Map<Integer, ProcedureBinding> procedures,
      String service) {
    programs.add(new UpperLayerBinding(program, version, OptionalInt.empty(), procedures), service);
  }

  private ProgramTable.Verdict<String> judged(int program, int version, int procedure) {
    return programs.judge(new CallHeader(XID, program, version, procedure, OpaqueAuth.NONE));
  }

  private static ProgramTable.Refuse<String> refused(AcceptStatus status) {
    return new ProgramTable.Refuse<>(new ReplyHeader.Accepted(XID, status));
  }

  private static ProgramTable.Refuse<String> mismatch(int low, int high) {
    return new ProgramTable.Refuse<>(new ReplyHeader.Accepted(XID, OpaqueAuth.NONE,
        AcceptStatus.PROG_MISMATCH, low, high));
  }

  @Test
  @DisplayName("A call goes to the service of its version, with the binding of its procedure")
  void served() {
    add(PROGRAM, 3, Map.of(6, READ, 7, WRITE), "third");
    add(PROGRAM, 4, Map.of(6, WRITE), "fourth");
    add(-1, 4, Map.of(-1, READ), "other");
    assertThat(judged(PROGRAM, 3, 6)).isEqualTo(new ProgramTable.Serve<>("third", READ));
    assertThat(judged(PROGRAM, 3, 7)).isEqualTo(new ProgramTable.Serve<>("third", WRITE));
    assertThat(judged(PROGRAM, 4, 6)).isEqualTo(new ProgramTable.Serve<>("fourth", WRITE));
    assertThat(judged(-1, 4, -1)).isEqualTo(new ProgramTable.Serve<>("other", READ));
  }

  @Test
  @DisplayName("A program that is not served is unavailable")
  void unknownProgram() {
    assertThat(judged(PROGRAM, 3, 6)).isEqualTo(refused(AcceptStatus.PROG_UNAVAIL));
    add(PROGRAM, 3, Map.of(6, READ), "service");
    assertThat(judged(PROGRAM + 1, 3, 6)).isEqualTo(refused(AcceptStatus.PROG_UNAVAIL));
    assertThat(judged(PROGRAM + 1, 3, 0)).isEqualTo(refused(AcceptStatus.PROG_UNAVAIL));
  }

  @Test
  @DisplayName("Another version is answered by the lowest and the highest, as unsigned numbers")
  void programMismatch() {
    add(PROGRAM, 3, Map.of(6, READ), "third");
    assertThat(judged(PROGRAM, 2, 6)).isEqualTo(mismatch(3, 3));
    assertThat(judged(PROGRAM, 4, 0)).isEqualTo(mismatch(3, 3));
    add(PROGRAM, 0xffffffff, Map.of(6, READ), "last");
    add(PROGRAM, 2, Map.of(6, READ), "second");
    assertThat(judged(PROGRAM, 4, 6)).isEqualTo(mismatch(2, 0xffffffff));
  }

  @Test
  @DisplayName("An unknown procedure is unavailable, but procedure 0 does nothing successfully")
  void unknownProcedure() {
    add(PROGRAM, 3, Map.of(6, READ), "service");
    assertThat(judged(PROGRAM, 3, 7)).isEqualTo(refused(AcceptStatus.PROC_UNAVAIL));
    assertThat(judged(PROGRAM, 3, -1)).isEqualTo(refused(AcceptStatus.PROC_UNAVAIL));
    assertThat(judged(PROGRAM, 3, 0)).isEqualTo(refused(AcceptStatus.SUCCESS));
    add(PROGRAM, 4, Map.of(0, WRITE), "null");
    assertThat(judged(PROGRAM, 4, 0)).isEqualTo(new ProgramTable.Serve<>("null", WRITE));
  }

  @Test
  @DisplayName("A version of a program is added once")
  void addedTwice() {
    add(PROGRAM, -1, Map.of(6, READ), "first");
    assertThatThrownBy(() -> add(PROGRAM, -1, Map.of(7, WRITE), "second"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A service is bound to program 0x20000001 version 4294967295 already");
  }
}
