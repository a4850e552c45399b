// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.binding;

import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.table.IntTable;
import java.util.TreeMap;

/**
 * The programs that one end of a connection serves (RFC 5531 §8.3).
 *
 * @param <S> whatever stands for a service
 */
public final class ProgramTable<S> {

  /** Of each program its versions, and of each version its procedures, with what is told of a call. */
  private final IntTable<TreeMap<Integer, IntTable<Serve<S>>>> programs = new IntTable<>();

  /** What was found last: mostly what is looked for next. Null if there is nothing. */
  private IntTable<Serve<S>> found;
  private int foundProgram;
  private int foundVersion;

  /** Creates an empty table. */
  public ProgramTable() {}

  /**
   * Adds a version of a program.
   *
   * @param binding its binding
   * @param service what serves it
   * @throws IllegalArgumentException if that version is served already
   */
  public void add(UpperLayerBinding binding, S service) {
    IntTable<Serve<S>> procedures = new IntTable<>();
    binding.procedures().forEach(
        (number, procedure) -> procedures.put(number, new Serve<>(service, procedure)));
    if (versions(binding.program()).putIfAbsent(binding.version(), procedures) != null) {
      throw new IllegalArgumentException("A service is bound to " + binding.describe() + " already");
    }
  }

  /**
   * Removes a version of a program; no other call finds it.
   *
   * @param binding as it was added
   */
  public void remove(UpperLayerBinding binding) {
    found = null;
    versions(binding.program()).remove(binding.version());
  }

  private TreeMap<Integer, IntTable<Serve<S>>> versions(int program) {
    if (!programs.contains(program)) {
      programs.put(program, new TreeMap<>(Integer::compareUnsigned));
    }
    return programs.get(program);
  }

  /**
   * Finds what serves a call, or says why nothing does (RFC 5531 §9, in its order of checks; those of RPC version
   * and credential come before).
   *
   * @param header the head of a call of RPC version 2
   * @return the service, or the answer
   */
  public Verdict<S> judge(CallHeader header) {
    if (found != null && header.program() == foundProgram && header.version() == foundVersion) {
      return judge(header, found);
    }
    int xid = header.xid();
    TreeMap<Integer, IntTable<Serve<S>>> versions = programs.get(header.program());
    if (versions == null || versions.isEmpty()) {
      return new Refuse<>(new ReplyHeader.Accepted(xid, AcceptStatus.PROG_UNAVAIL));
    }
    IntTable<Serve<S>> procedures = versions.get(header.version());
    if (procedures == null) {
      return new Refuse<>(new ReplyHeader.Accepted(xid, OpaqueAuth.NONE,
          AcceptStatus.PROG_MISMATCH, versions.firstKey(), versions.lastKey()));
    }
    found = procedures;
    foundProgram = header.program();
    foundVersion = header.version();
    return judge(header, procedures);
  }

  private static <S> Verdict<S> judge(CallHeader header, IntTable<Serve<S>> procedures) {
    Serve<S> serve = procedures.get(header.procedure());
    if (serve != null) {
      return serve;
    }
    // RFC 5531 §12.1: procedure 0 is there by convention, and does nothing.
    return new Refuse<>(new ReplyHeader.Accepted(header.xid(),
        header.procedure() == 0 ? AcceptStatus.SUCCESS : AcceptStatus.PROC_UNAVAIL));
  }

  /**
   * What to do about a call.
   *
   * @param <S> whatever stands for a service
   */
  public sealed interface Verdict<S> {}

  /**
   * Let a service serve it.
   *
   * @param service the service
   * @param procedure what its binding says of the procedure
   * @param <S> whatever stands for a service
   */
  public record Serve<S>(S service, ProcedureBinding procedure) implements Verdict<S> {}

  /**
   * Answer it at once.
   *
   * @param answer the reply's head
   * @param <S> whatever stands for a service
   */
  public record Refuse<S>(ReplyHeader answer) implements Verdict<S> {}
}
