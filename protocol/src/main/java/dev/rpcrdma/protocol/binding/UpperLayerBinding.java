// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.binding;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The binding of one version of a program to RPC-over-RDMA (RFC 8166 §6). Procedure 0, NULL, is part
 * of every program and need not be listed (RFC 5531 §12.1).
 *
 * @param name the program's, for people
 * @param program the program's number
 * @param version the program's version
 * @param port the port where its servers are found, if it has one of its own
 * @param procedures by procedure number
 */
public record UpperLayerBinding(
    String name, int program, int version, OptionalInt port, Map<Integer, ProcedureBinding> procedures) {

  private static final ProcedureBinding NULL =
      new ProcedureBinding("NULL", 0, 0, ReplyBound.of(0)).asReadOnly();

  /**
   * The binding of a program that has no name: it is known by its number.
   *
   * @param program the program's number
   * @param version the program's version
   * @param port the port where its servers are found, if it has one of its own
   * @param procedures by procedure number
   */
  public UpperLayerBinding(int program, int version, OptionalInt port, Map<Integer, ProcedureBinding> procedures) {
    this(ProgramNames.number(program), program, version, port, procedures);
  }

  /** Copies the map. */
  public UpperLayerBinding {
    Objects.requireNonNull(name, "name");
    procedures = Map.copyOf(procedures);
  }

  /**
   * This version of the program, for messages.
   *
   * @return name and numbers
   */
  public String describe() {
    return ProgramNames.version(name, program, version);
  }

  /**
   * A procedure of it, for messages.
   *
   * @param procedure its number
   * @return names and numbers
   */
  public String describe(int procedure) {
    return ProgramNames.procedure(name, program, version,
        procedure(procedure).map(ProcedureBinding::name).orElse(Integer.toUnsignedString(procedure)), procedure);
  }

  /**
   * The binding of one procedure.
   *
   * @param procedure its number
   * @return empty if the program has no such procedure
   */
  public Optional<ProcedureBinding> procedure(int procedure) {
    ProcedureBinding found = procedures.get(procedure);
    return found == null && procedure == 0 ? Optional.of(NULL) : Optional.ofNullable(found);
  }
}
